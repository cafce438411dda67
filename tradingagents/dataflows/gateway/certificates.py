"""The CA certificates for TLS, read once per process: reading them takes 50 ms, and every HTTP client would do so."""

from __future__ import annotations

import os
import ssl
from functools import lru_cache

import httpx


def trusted_certificates() -> ssl.SSLContext:
    """Return the TLS context that all HTTP clients share.

    It follows SSL_CERT_FILE and SSL_CERT_DIR as httpx does, and is made anew when one of them changes.
    """
    return _read(os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))


@lru_cache(maxsize=1)
def _read(_file: str, _folder: str) -> ssl.SSLContext:
    return httpx.create_ssl_context()
