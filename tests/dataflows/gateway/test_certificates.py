from __future__ import annotations

from pathlib import Path

import certifi
import pytest

from tradingagents.dataflows.gateway.vendor_config import trusted_certificates


def test_they_are_read_once_and_anew_where_the_environment_names_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    first = trusted_certificates()
    assert trusted_certificates() is first
    own = tmp_path / "own.pem"
    own.write_bytes(
        Path(certifi.where()).read_bytes().partition(b"-----END CERTIFICATE-----")[0] + b"-----END CERTIFICATE-----\n"
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    assert len(trusted_certificates().get_ca_certs()) == 1 < len(first.get_ca_certs())
