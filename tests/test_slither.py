"""The lint of contracts: what slither finds must be known, and what is known must be found."""

import pytest

from scripts.slither_check import MEANT, Finding, differences, findings, meant

CONTRACTS = """// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";

contract Taker {
    function take(address payable to) external { to.transfer(address(this).balance); }
}

contract Keeper {
    function take(address payable to) external {
        require(msg.sender == address(1), Errors.MissingPrecompile(to));
        to.transfer(address(this).balance);
    }
}
"""
STAYS = Finding("timestamp", "a clock")
NEW = Finding("reentrancy-eth", "a payment")


@pytest.fixture
def listed(tmp_path):
    """Writes a list of what is meant."""

    def write(*entries):
        file = tmp_path / "slither.toml"
        texts = ["[[meant]]\n" + "\n".join(lines) + "\n" for lines in entries]
        file.write_text("\n".join(texts))
        return file

    return write


def test_what_gives_money_to_anybody_is_found_by_the_pinned_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("FHEVM_CACHE", str(tmp_path / "cache"))
    (tmp_path / "contracts" / "testing").mkdir(parents=True)
    for folder in ("contracts", "contracts/testing"):
        (tmp_path / folder / "Takers.sol").write_text(CONTRACTS)
    text = "Taker.take(address) sends eth to arbitrary user "
    text += "Dangerous calls: - to.transfer(address(this).balance)"
    found = [each for each in findings(tmp_path) if each.check == "arbitrary-send-eth"]
    assert found == [Finding("arbitrary-send-eth", text)]
    (tmp_path / "contracts" / "Takers.sol").write_text(CONTRACTS.replace("Taker", "Giver"))
    changed = [each.text for each in findings(tmp_path) if each.check == "arbitrary-send-eth"]
    assert changed == [text.replace("Taker", "Giver")]


def test_a_new_finding_is_told():
    assert differences([STAYS, NEW], [STAYS]) == ["new: reentrancy-eth: a payment"]


def test_an_entry_that_is_found_no_longer_is_told():
    assert differences([STAYS], [STAYS, NEW]) == ["gone: reentrancy-eth: a payment"]


def test_an_entry_of_another_check_is_not_enough():
    told = differences([STAYS], [Finding("other", STAYS.text)])
    assert told == ["new: timestamp: a clock", "gone: other: a clock"]


def test_an_entry_has_a_reason(listed):
    file = listed(['check = "timestamp"', 'reason = " "', 'findings = ["a clock"]'])
    with pytest.raises(ValueError, match=r"^slither\.toml: timestamp has no reason beside it$"):
        meant(file)


def test_a_finding_is_listed_once(listed):
    lines = ['check = "timestamp"', 'reason = "so"', 'findings = ["a clock"]']
    assert meant(listed(lines)) == [STAYS]
    with pytest.raises(ValueError, match=r"^slither\.toml: a finding is there twice$"):
        meant(listed(lines, lines))


def test_our_own_list_can_be_read():
    assert meant(MEANT)
