"""Decrypts what comes in on a port of its own, which it prints, and hands it on to another port of this machine.

proxy.py PORT FOLDER CERTIFICATE [ask]: with "ask", only clients with a certificate of the folder's authority are let in. It ends with
its standard input.
"""

import socket
import ssl
import sys
import threading

port, folder, certificate = int(sys.argv[1]), sys.argv[2], sys.argv[3]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/{certificate}.pem", f"{folder}/server-key.pem")
if "ask" in sys.argv[4:]:
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(f"{folder}/authority.pem")


def hand_on(source, target):
    try:
        while content := source.recv(1 << 16):
            target.sendall(content)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(connection):
    try:
        client = context.wrap_socket(connection, server_side=True)
    except OSError:
        connection.close()
        return
    server = socket.create_connection(("127.0.0.1", port))
    threading.Thread(target=hand_on, args=(server, client), daemon=True).start()
    hand_on(client, server)


def listen(listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=listen, args=(listener,), daemon=True).start()
sys.stdin.read()
