"""The client of contracts/testing/Sandbox.sol: each thing that the table offers is a move."""

from fogbound.bots import Act
from fogbound.game import Game, Phase
from fogbound.games import GameSpec
from fogbound.table import TableClient


class SandboxClient(TableClient):
    """Moves without rules."""

    def hand_over(self, game_id: int, seat: int) -> None:
        self._send("hand", game_id, seat)

    def win(self, game_id: int, seat: int) -> None:
        self._send("win", game_id, 1 << seat)

    def begin_wait(self, game_id: int) -> None:
        self._send("beginWait", game_id)

    def resolve_wait(self, game_id: int, seat: int) -> None:
        self._send("resolveWait", game_id, seat)


def tend(client: SandboxClient, game_id: int) -> bool:
    """Resolve a wait, as a keeper resolves decryptions: the next seat is on turn."""
    game = client.game(game_id)
    if game.phase is not Phase.WAITING:
        return False
    client.resolve_wait(game_id, 1 - game.on_turn)
    return True


def patient_bot(client: SandboxClient, seed: int) -> Act:
    """Hands the turn over, and wins once it has gone round."""

    def act(game: Game) -> bool:
        if not game.is_turn_of(client.player):
            return False
        if game.move_number < 3:
            client.hand_over(game.id, 1 - game.on_turn)
        else:
            client.win(game.id, game.on_turn)
        return True

    return act


GAME = GameSpec(
    name="sandbox",
    contract="Sandbox",
    client=SandboxClient,
    constructor=lambda terms: terms.arguments,
    tend=tend,
    bots={"patient": patient_bot},
)
