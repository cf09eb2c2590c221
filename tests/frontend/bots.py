"""Bots of the test game on the chain of this process: they act when a test lets them."""

from frontend.app.bots.accounts import make_bots
from frontend.app.bots.playing import Playing
from tests.fogbound.sandbox import GAME


def playing(services, **options):
    """As after a start of the server: it knows nothing but the index."""
    bots = make_bots(services.settings.folder, [GAME])
    return Playing(services.connector, services.database, bots, workers=0, **options)
