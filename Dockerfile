# docker build --build-arg VERSION=0.1.0 -t tradingagents .
# docker run -e TRADINGAGENTS_SERVER_TOKEN=… -p 127.0.0.1:8765:8765 -v tradingagents:/data tradingagents
FROM python:3.13-slim AS build
# The context holds no .git to read the version from.
ARG VERSION=0.1.0.dev0
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY tradingagents tradingagents
COPY cli cli
RUN SETUPTOOLS_SCM_PRETEND_VERSION=${VERSION} python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY constraints.txt /tmp/constraints.txt
COPY --from=build /wheels /tmp/wheels
RUN python -m pip install --no-cache-dir --constraint /tmp/constraints.txt "tradingagents[server,mcp,snapshot,pdf,xlsx] @ file://$(ls /tmp/wheels/*.whl)" \
    && rm -r /tmp/wheels /tmp/constraints.txt \
    && useradd --create-home --uid 10001 tradingagents && chmod 755 /home/tradingagents \
    && install --directory --owner tradingagents --mode 700 /data
# Also for a container that is started under another number, which no list of users has.
ENV HOME=/home/tradingagents TRADINGAGENTS_HOME=/data PYTHONUNBUFFERED=1
USER 10001
WORKDIR /home/tradingagents
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/v1/health', timeout=4)"]
ENTRYPOINT ["tradingagents"]
# Other machines are answered only where TRADINGAGENTS_SERVER_TOKEN is set; without it the server refuses to start.
CMD ["serve", "--host", "0.0.0.0"]
