"""The public log of what this site serves, as C2SP specifies logs: a Merkle tree (RFC 6962), signed checkpoints, tiles,
witnesses' cosignatures. `surveys/transparency/check/verify.py` checks it, by code of its own."""
