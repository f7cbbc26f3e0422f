# A Debian with what the steps and the suite need, without a GPU. The repository itself is mounted:
#     docker build -t matmult . && docker run -it --rm -v "$PWD:/matmult" matmult
FROM debian:stable-slim
COPY mk/deps.sh /usr/local/share/
RUN apt-get update -q && apt-get install -y -q --no-install-recommends ca-certificates git make python3 && \
    sh /usr/local/share/deps.sh mpi && rm -rf /var/lib/apt/lists/*
WORKDIR /matmult
CMD ["bash"]
