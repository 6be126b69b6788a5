import pytest


@pytest.fixture(autouse=True)
def _quick_reports(quick_figures):
    """Many reports are made here, and read more than looked at."""
