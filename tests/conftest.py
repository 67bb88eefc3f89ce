"""What all tests share: brokers that really run, and where the real files lie."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from streams.broker import embedded
from tests.kafka_fixture import kafka_broker  # noqa: F401 - the import is what makes it a fixture of all tests

settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("here")

REAL = Path(__file__).parents[2] / "shared" / "real"


@pytest.fixture(scope="session")
def embedded_broker() -> Iterator[str]:
    """The bootstrap address of an embedded broker, one for all tests: each uses topics of its own prefix."""
    with embedded.start() as address:
        yield address


@pytest.fixture
def real_files() -> Path:
    """The folder of real foreign files; the test is skipped where it is not there."""
    if not REAL.is_dir():
        pytest.skip(f"the real files are not here: {REAL} is no folder")
    return REAL
