"""The frequency oracles of two published packages behind one small interface: answers to reports, reports to shares.

pure-ldp counts categories from 1 and gives unbiased totals. multi-freq-ldpy counts from 0. It cuts negative shares and
divides by the rest, so its shares are biased.
"""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Reports = list[Any]


class Oracle(NamedTuple):
    """A frequency oracle. `session(alpha, d)` returns a client, answer -> report, and a server, reports -> d shares."""

    package: str
    name: str
    unbiased: bool
    session: Callable[[float, int], tuple[Callable[[int], Any], Callable[[Reports], np.ndarray]]]

    def estimate(self, answers: np.ndarray, alpha: float, d: int) -> np.ndarray:
        client, server = self.session(alpha, d)
        return server([client(int(answer)) for answer in answers])


def oracles() -> list[Oracle]:
    """Return all oracles of both packages that take a plain alpha. SystemExit says how to install a package."""
    try:
        return _pure_ldp() + _multi_freq()
    except ModuleNotFoundError as missing:
        raise SystemExit(
            f"{missing}: install the packages to compare with in a virtual environment of their own,\n"
            "  python3 -m venv .venv-peers && .venv-peers/bin/pip install -r benchmarks/requirements.txt"
        ) from None


def _pure_ldp() -> list[Oracle]:
    warnings.filterwarnings("ignore", category=RuntimeWarning, module="pure_ldp")
    warnings.filterwarnings("ignore", category=DeprecationWarning, module="pure_ldp")
    from pure_ldp import frequency_oracles as pure

    def hadamard_response(alpha: float, d: int) -> tuple[Any, Any]:
        server = pure.HadamardResponseServer(alpha, d)
        return pure.HadamardResponseClient(alpha, d, server.get_hash_funcs()), server

    pairs: dict[str, Callable[[float, int], tuple[Any, Any]]] = {
        "DE": lambda a, d: (pure.DEClient(a, d), pure.DEServer(a, d)),
        "SUE": lambda a, d: (pure.UEClient(a, d), pure.UEServer(a, d)),
        "OUE": lambda a, d: (pure.UEClient(a, d, use_oue=True), pure.UEServer(a, d, use_oue=True)),
        "SHE": lambda a, d: (pure.HEClient(a, d), pure.HEServer(a, d)),
        "THE": lambda a, d: (pure.HEClient(a, d), pure.HEServer(a, d, use_the=True)),
        "BLH": lambda a, d: (pure.LHClient(a, d), pure.LHServer(a, d)),
        "OLH": lambda a, d: (pure.LHClient(a, d, use_olh=True), pure.LHServer(a, d, use_olh=True)),
        "HM": lambda a, d: (
            pure.HadamardMechClient(a, d, 1, use_optimal_t=True),
            pure.HadamardMechServer(a, d, 1, use_optimal_t=True),
        ),
        "HR": hadamard_response,
    }

    def session(make: Callable[[float, int], tuple[Any, Any]]) -> Callable[..., Any]:
        def start(alpha: float, d: int) -> tuple[Callable[[int], Any], Callable[[Reports], np.ndarray]]:
            client, server = make(alpha, d)

            def shares(reports: Reports) -> np.ndarray:
                server.aggregate_all(reports)
                return np.asarray(server.estimate_all(range(1, d + 1), suppress_warnings=True)) / len(reports)

            return lambda answer: client.privatise(answer + 1), shares

        return start

    return [Oracle("pure-ldp", name, True, session(make)) for name, make in pairs.items()]


def _multi_freq() -> list[Oracle]:
    from multi_freq_ldpy.pure_frequency_oracles import GRR, HE, LH, SS, UE

    functions: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
        "GRR": (GRR.GRR_Client, GRR.GRR_Aggregator_MI),
        "SUE": (lambda x, d, a: UE.UE_Client(x, d, a, False), lambda r, d, a: UE.UE_Aggregator_MI(r, a, False)),
        "OUE": (lambda x, d, a: UE.UE_Client(x, d, a, True), lambda r, d, a: UE.UE_Aggregator_MI(r, a, True)),
        "SS": (SS.SS_Client, SS.SS_Aggregator_MI),
        "SHE": (HE.HE_Client, lambda r, d, a: HE.HE_Aggregator_MI(r, d, a, False)),
        "THE": (HE.HE_Client, HE.HE_Aggregator_MI),
        "BLH": (lambda x, d, a: LH.LH_Client(x, d, a, False), lambda r, d, a: LH.LH_Aggregator_MI(r, d, a, False)),
        "OLH": (LH.LH_Client, LH.LH_Aggregator_MI),
    }

    def session(client: Callable[..., Any], server: Callable[..., Any]) -> Callable[..., Any]:
        return lambda alpha, d: (lambda x: client(x, d, alpha), lambda reports: np.asarray(server(reports, d, alpha)))

    return [Oracle("multi-freq-ldpy", name, False, session(*pair)) for name, pair in functions.items()]
