# The command `boutwatch` in an image: the compose file runs its topics and its worker from it.
FROM python:3.11-slim

RUN useradd --create-home --uid 10001 boutwatch
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY streams streams
COPY metrics metrics
COPY judges judges
RUN pip install --no-cache-dir . && rm -rf /src/*

# Nothing is written here: a worker's state is in its topics.
USER boutwatch
WORKDIR /home/boutwatch
ENV PYTHONUNBUFFERED=1
ENTRYPOINT ["boutwatch"]
CMD ["--help"]
