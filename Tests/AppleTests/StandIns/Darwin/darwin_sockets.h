// Sockets and names of hosts.
#ifndef DARWIN_SOCKETS_H
#define DARWIN_SOCKETS_H
#include "darwin_types.h"

typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

struct sockaddr {
  uint8_t sa_len;
  sa_family_t sa_family;
  char sa_data[14];
};
struct in_addr {
  in_addr_t s_addr;
};
struct in6_addr {
  uint8_t s6_addr_bytes[16];
};
int inet_pton(int family, const char *text, void *address);
struct sockaddr_in {
  uint8_t sin_len;
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
struct sockaddr_storage {
  uint8_t ss_len;
  sa_family_t ss_family;
  char padding_before[6];
  int64_t alignment;
  char padding_after[112];
};
struct linger {
  int l_onoff;
  int l_linger;
};
struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  char *_Null_unspecified ai_canonname;
  struct sockaddr *_Null_unspecified ai_addr;
  struct addrinfo *_Null_unspecified ai_next;
};

int socket(int family, int type, int protocol);
int bind(int descriptor, const struct sockaddr *_Null_unspecified address, socklen_t length);
int listen(int descriptor, int backlog);
int accept(int descriptor, struct sockaddr *_Null_unspecified address, socklen_t *_Null_unspecified length);
int connect(int descriptor, const struct sockaddr *_Null_unspecified address, socklen_t length);
int shutdown(int descriptor, int how);
int getsockname(int descriptor, struct sockaddr *_Null_unspecified address, socklen_t *_Null_unspecified length);
int setsockopt(int descriptor, int level, int option, const void *_Null_unspecified value, socklen_t length);
int getsockopt(int descriptor, int level, int option, void *_Null_unspecified value, socklen_t *_Null_unspecified length);
ssize_t recv(int descriptor, void *_Null_unspecified bytes, size_t count, int flags);
ssize_t send(int descriptor, const void *_Null_unspecified bytes, size_t count, int flags);

int gethostname(char *_Null_unspecified name, size_t length);
int getaddrinfo(
    const char *_Null_unspecified host, const char *_Null_unspecified service,
    const struct addrinfo *_Null_unspecified hints, struct addrinfo *_Null_unspecified *_Null_unspecified found);
void freeaddrinfo(struct addrinfo *_Null_unspecified first);
const char *_Null_unspecified gai_strerror(int code);
int getnameinfo(
    const struct sockaddr *_Null_unspecified address, socklen_t length, char *_Null_unspecified host,
    socklen_t host_length, char *_Null_unspecified service, socklen_t service_length, int flags);

#define AF_INET 2
#define AF_INET6 30
#define AI_PASSIVE 1
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_ACCEPTCONN 0x0002
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_RCVBUF 0x1002
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_ERROR 0x1007
#define SO_NOSIGPIPE 0x1022
#define IPPROTO_TCP 6
#define TCP_NODELAY 1
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
#define NI_NUMERICHOST 0x0002
#define NI_NUMERICSERV 0x0008
#endif
