// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title First-in first-out lists of open games, one for each key
/// @notice Doubly linked, so that a game leaves from any place in constant time.
library WaitingList {
    /// @dev One slot. `key` is zero for a game that is in no list; ids are below 2^48.
    struct Link {
        bytes20 key;
        uint48 previous;
        uint48 next;
    }

    struct Ends {
        uint48 first;
        uint48 last;
    }

    struct Lists {
        mapping(bytes20 key => Ends) ends;
        mapping(uint256 id => Link) links;
    }

    /// @notice The list of games that are alike to a player who looks for one.
    function keyOf(
        bytes memory parameters,
        uint8 seats,
        uint8 control,
        uint256 stake
    ) internal pure returns (bytes20) {
        return bytes20(keccak256(abi.encode(parameters, seats, control, stake)));
    }

    function append(Lists storage self, bytes20 key, uint256 id) internal {
        Ends storage ends = self.ends[key];
        uint48 last = ends.last;
        Link storage link = self.links[id];
        (link.key, link.previous) = (key, last);
        if (last == 0) ends.first = uint48(id);
        else self.links[last].next = uint48(id);
        ends.last = uint48(id);
    }

    /// @notice Take a game out; nothing happens if it is in no list.
    function remove(Lists storage self, uint256 id) internal {
        Link memory link = self.links[id];
        if (link.key == 0) return;
        Ends storage ends = self.ends[link.key];
        if (link.previous == 0) ends.first = link.next;
        else self.links[link.previous].next = link.next;
        if (link.next == 0) ends.last = link.previous;
        else self.links[link.next].previous = link.previous;
        delete self.links[id];
    }

    /// @notice The game that waits longest; zero if none does.
    function first(Lists storage self, bytes20 key) internal view returns (uint256) {
        return self.ends[key].first;
    }

    /// @notice The game that came after `id`; zero if none did.
    function next(Lists storage self, uint256 id) internal view returns (uint256) {
        return self.links[id].next;
    }
}
