import pytest


@pytest.fixture(autouse=True)
def _quick_reports(request):
    """Many reports are made here, and read more than looked at; the slow tests draw them too."""
    if request.node.get_closest_marker("slow") is None:
        request.getfixturevalue("quick_figures")
