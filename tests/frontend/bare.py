"""The web app where no chain is: what of it needs none."""

from fogbound.contracts import Registry
from frontend.app.connector import Connector
from frontend.app.main import create_app
from frontend.app.network import Network
from frontend.app.settings import WebSettings
from tests.fogbound.sandbox import GAME


def bare_app(folder, **settings):
    """It serves a chain and a gateway at addresses where nobody is."""
    nowhere = "http://127.0.0.1:1"
    network = Network(nowhere, nowhere, 31337, Registry())
    given = WebSettings(**{"data": folder, "bots": False} | settings)
    return create_app(given, connector=Connector(lambda: network), specs=[GAME])
