"""What each call costs at most, in gas (the chain in process is deterministic), and the code's size."""

RUNTIME_LIMIT = 24_576


def test_building(open_game):
    battle = open_game(2, 8)
    first = battle.build(0, 0).gas_used
    battle.skip()
    outermost = battle.build(0, 7).gas_used
    battle.skip()
    below = battle.build(0, 3).gas_used
    assert first < 310_000
    assert outermost < 290_000
    assert below < 296_000


def test_missiles(open_game):
    battle = open_game()
    empty = battle.launch(0).gas_used
    battle.play("B a1", "B a1", "H b1")
    flight = battle.launch(0).gas_used
    landing = battle.resolve().gas_used
    assert empty < 42_000
    assert flight < 80_000
    assert landing < 100_500


def test_the_code_fits(contract, chain):
    assert len(chain.provider.get_code(contract.address)) < RUNTIME_LIMIT


def test_a_full_board_of_the_largest_size_can_be_counted(contract, open_game):
    """Within the protocol's 20,000,000 HCU, 5,000,000 in depth, and an Ethereum block's gas."""
    battle = open_game(8, 8)
    for action in range(128):
        cell = action // 2
        receipt = battle.build(cell // 8, cell % 8, action % 3 == 0)
    assert receipt.gas_used < 5_000_000
    (settled,) = battle.settle().decode_logs(contract.ResultSettled)
    scores = [battle.board(seat).score for seat in (0, 1)]
    expected = 2 if scores[0] == scores[1] else int(scores[1] > scores[0])
    assert settled.result == expected
