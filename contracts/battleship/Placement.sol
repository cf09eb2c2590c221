// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {HitLog} from "./HitLog.sol";

/// @title Ships in 16 bytes: which cells they cover, whether they are a legal fleet, what was sunk when
library Placement {
    uint256 private constant SHIPS = 8;
    /// @dev Nibble `kind` is the kind's length, or how many of them a fleet has.
    uint256 private constant LENGTHS = 0x6543320;
    uint256 private constant SMALL_FLEET = 0x0000110;
    uint256 private constant STANDARD_FLEET = 0x0111110;
    uint256 private constant LARGE_FLEET = 0x1112120;
    uint256 private constant UNUSED_BITS = 0x8800;

    /// @param owners One byte a cell: the number of the ship that lies there, from 1; 0: water.
    /// @param lengths Nibble `number` is that ship's length.
    /// @param kinds Nibble `number` is that ship's kind.
    /// @param legal The fleet of this size: kinds, counts, inside the board, no overlap.
    struct Layout {
        bytes owners;
        uint256 lengths;
        uint256 kinds;
        bool legal;
    }

    /// @notice Lay the ships out on a board of `size`. A ship that leaves the board is illegal; what of it
    ///         falls on the row after, or on another ship, is laid out all the same.
    function layOut(bytes16 placement, uint256 size) internal pure returns (Layout memory layout) {
        layout.owners = new bytes(size * size);
        layout.legal = true;
        uint256 counts;
        for (uint256 number = 1; number <= SHIPS; number++) {
            uint256 ship = uint16(uint128(placement) >> (16 * (SHIPS - number)));
            if (ship == 0) continue;
            uint256 kind = ship >> 12;
            if (ship & UNUSED_BITS != 0) (layout.legal, kind) = (false, kind & 7);
            counts += 1 << (4 * kind);
            uint256 length = (LENGTHS >> (4 * kind)) & 15;
            layout.kinds |= kind << (4 * number);
            layout.lengths |= length << (4 * number);
            _lay(layout, ship, number, length, size);
        }
        if (counts != fleetOf(size)) layout.legal = false;
    }

    function _lay(
        Layout memory layout,
        uint256 ship,
        uint256 number,
        uint256 length,
        uint256 size
    ) private pure {
        (uint256 x, uint256 y) = (ship & 31, (ship >> 5) & 31);
        bool vertical = (ship >> 10) & 1 == 1;
        if ((vertical ? y : x) + length > size || x >= size || y >= size) layout.legal = false;
        uint256 cell = y * size + x;
        bytes memory owners = layout.owners;
        for (; length != 0 && cell < owners.length; length--) {
            if (owners[cell] != 0) layout.legal = false;
            owners[cell] = bytes1(uint8(number));
            cell += vertical ? size : 1;
        }
    }

    /// @notice Whether each hit sank what its owner said, no more and no less. For a legal layout.
    function bearsOut(
        Layout memory layout,
        uint256 first,
        uint256 rest,
        uint256 hits
    ) internal pure returns (bool) {
        uint256 afloat = layout.lengths;
        for (uint256 i = 0; i < hits; i++) {
            (uint256 cell, uint256 said) = HitLog.at(first, rest, i);
            uint256 shift = 4 * uint8(layout.owners[cell]);
            afloat -= 1 << shift;
            bool sunk = (afloat >> shift) & 15 == 0;
            if (said != (sunk ? (layout.kinds >> shift) & 15 : 0)) return false;
        }
        return true;
    }

    /// @notice How many of each kind belong to a board of `size`; zero for a size that there is not.
    function fleetOf(uint256 size) internal pure returns (uint256) {
        if (size == 6 || size == 8) return SMALL_FLEET;
        if (size == 10) return STANDARD_FLEET;
        if (size == 12 || size == 14 || size == 20) return LARGE_FLEET;
        return 0;
    }

    /// @notice How many cells must be hit on a board of a known `size`.
    function fleetCells(uint256 size) internal pure returns (uint256) {
        return
            size < 10
                ? 5
                : size == 10
                    ? 17
                    : 28;
    }
}
