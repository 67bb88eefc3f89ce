"""Commands of the family native: what each line means."""

from __future__ import annotations

import pytest

from streams.actions import ask

LINES = [
    ("make", "check:build:make"),
    ("make -j8 test", "check:test:make test"),
    ("make lint", "check:lint:make lint"),
    ("make clean", "other"),
    ("cargo test --lib foo -- --nocapture", "check:test:cargo test --lib foo"),
    ("cargo build --release", "check:build:cargo build --release"),
    ("cargo clippy", "check:lint:cargo clippy"),
    ("cargo run -- x", "check:probe:cargo run x"),
    ("go test ./... -run TestX -v", "check:test:go test -run TestX"),
    ("go vet ./...", "check:lint:go vet"),
    ("go build ./...", "check:build:go build"),
    ("go mod tidy", "setup,network"),
    ("mvn -q -Dtest=FooTest test", "check:test:mvn test -Dtest=FooTest"),
    ("mvn package", "check:build:mvn package"),
    ("./gradlew :app:test", "check:test:gradle :app:test"),
    ("ctest --test-dir build -R foo", "check:test:ctest -R foo"),
    ("cmake -B build", "setup"),
    ("cmake --build build", "check:build:cmake --build build"),
    ("gcc -o a a.c", "check:build:gcc a.c"),
    ("javac Main.java", "check:build:javac Main.java"),
    ("dotnet test", "check:test:dotnet test"),
    ("bundle exec rspec spec/a_spec.rb:12", "check:test:rspec spec/a_spec.rb:12"),
    ("rspec", "check:test:rspec"),
    ("mix test", "check:test:mix test"),
    ("swift test", "check:test:swift test"),
    ("vendor/bin/phpunit", "check:test:phpunit"),
    ("php artisan test", "check:test:php artisan test"),
    ("bats test/", "check:test:bats test"),
    ("shellcheck a.sh", "check:lint:shellcheck a.sh"),
    ("./run_tests.sh", "check:test:run_tests.sh"),
    ("bash scripts/build.sh", "check:build:bash scripts/build.sh"),
    ("./a.out", "check:probe:a.out"),
]
"""A line; per action its class, for a check also kind and normalised command."""


@pytest.mark.parametrize(("line", "wanted"), LINES)
def test_native_lines_mean_what_they_do(line: str, wanted: str) -> None:
    """Class, kind and normalised command follow from the line alone."""
    got = [
        f"check:{action.kind}:{action.command}" if action.cls == "check" else action.cls
        for action in ask("Bash", {"command": line}, "/repo").actions
    ]
    expected = wanted.split(",")
    assert len(got) == len(expected)
    for mine, want in zip(got, expected, strict=True):
        assert mine == want or (want.count(":") == 1 and mine.startswith(want + ":"))
