#include "FlagCurl.h"

#ifdef __linux__

#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// The interface of libcurl 7.28 and later, as its manual pages give it: https://curl.se/libcurl/c/
enum {
  GLOBAL_ALL = 3,
  MESSAGE_DONE = 1,
  WAIT_READABLE = 1,
  PROTOCOLS_HTTP_AND_HTTPS = 3,

  OPTION_URL = 10002,
  OPTION_WRITE_DATA = 10001,
  OPTION_WRITE_FUNCTION = 20011,
  OPTION_HEADER_DATA = 10029,
  OPTION_HEADER_FUNCTION = 20079,
  OPTION_PROXY = 10004,
  OPTION_HTTP_HEADER = 10023,
  OPTION_CUSTOM_REQUEST = 10036,
  OPTION_NO_PROGRESS = 43,
  OPTION_NO_BODY = 44,
  OPTION_PROGRESS_DATA = 10057,
  OPTION_PROGRESS_FUNCTION = 20219,
  OPTION_SOCKET_FUNCTION = 20148,
  OPTION_CERTIFICATE = 10025,
  OPTION_KEY = 10087,
  OPTION_KEY_PASSWORD = 10026,
  OPTION_CA_INFO = 10065,
  OPTION_NO_SIGNAL = 99,
  OPTION_ACCEPT_ENCODING = 10102,
  OPTION_PRIVATE = 10103,
  OPTION_COPY_POST_FIELDS = 10165,
  OPTION_PROTOCOLS = 181,
  OPTION_TCP_KEEP_ALIVE = 213,
  OPTION_SUPPRESS_CONNECT_HEADERS = 265,
  OPTION_HTTP_09_ALLOWED = 285,
  OPTION_POST_FIELD_SIZE_LARGE = 30120,

  INFO_PRIVATE = 0x100000 + 21,
  INFO_VERIFICATION = 0x200000 + 13,
  INFO_CONNECT_STATUS = 0x200000 + 22,
  INFO_OS_ERROR = 0x200000 + 25,
};

struct message {
  int message;
  void *handle;
  union {
    void *other;
    int result;
  } data;
};

struct wait_descriptor {
  int descriptor;
  short events;
  short found;
};

static struct {
  int (*global_init)(long flags);
  void *(*easy_init)(void);
  void (*easy_cleanup)(void *handle);
  int (*easy_setopt)(void *handle, int option, ...);
  int (*easy_getinfo)(void *handle, int info, ...);
  const char *(*easy_strerror)(int code);
  void *(*slist_append)(void *list, const char *text);
  void (*slist_free_all)(void *list);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *multi);
  int (*multi_add_handle)(void *multi, void *handle);
  int (*multi_remove_handle)(void *multi, void *handle);
  int (*multi_perform)(void *multi, int *running);
  int (*multi_wait)(void *multi, struct wait_descriptor *extra, unsigned count, int milliseconds, int *ready);
  struct message *(*multi_info_read)(void *multi, int *rest);
} curl;

const char *flag_curl_load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *message = dlerror();
    return message == NULL ? "libcurl.so.4 cannot be loaded" : message;
  }
  const struct {
    void **function;
    const char *name;
  } functions[] = {
      {(void **)&curl.global_init, "curl_global_init"},
      {(void **)&curl.easy_init, "curl_easy_init"},
      {(void **)&curl.easy_cleanup, "curl_easy_cleanup"},
      {(void **)&curl.easy_setopt, "curl_easy_setopt"},
      {(void **)&curl.easy_getinfo, "curl_easy_getinfo"},
      {(void **)&curl.easy_strerror, "curl_easy_strerror"},
      {(void **)&curl.slist_append, "curl_slist_append"},
      {(void **)&curl.slist_free_all, "curl_slist_free_all"},
      {(void **)&curl.multi_init, "curl_multi_init"},
      {(void **)&curl.multi_cleanup, "curl_multi_cleanup"},
      {(void **)&curl.multi_add_handle, "curl_multi_add_handle"},
      {(void **)&curl.multi_remove_handle, "curl_multi_remove_handle"},
      {(void **)&curl.multi_perform, "curl_multi_perform"},
      {(void **)&curl.multi_wait, "curl_multi_wait"},
      {(void **)&curl.multi_info_read, "curl_multi_info_read"},
  };
  for (size_t number = 0; number < sizeof functions / sizeof functions[0]; number++) {
    *functions[number].function = dlsym(library, functions[number].name);
    if (*functions[number].function == NULL) return functions[number].name;
  }
  return curl.global_init(GLOBAL_ALL) == 0 ? NULL : "libcurl.so.4 cannot be made ready";
}

struct flag_curl_transfer {
  void *handle;
  void *lines;
  struct flag_curl_request request;
};

static size_t header(const char *line, size_t size, size_t count, void *context) {
  struct flag_curl_transfer *transfer = context;
  return transfer->request.header(transfer->request.context, line, size * count) ? size * count : 0;
}

// To stop, it returns 0, which is never the count: libcurl passes at least one byte.
static size_t content(const char *bytes, size_t size, size_t count, void *context) {
  struct flag_curl_transfer *transfer = context;
  if (size * count == 0) return 0;
  return transfer->request.content(transfer->request.context, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static int progress(void *context, int64_t total, int64_t received, int64_t to_send, int64_t sent) {
  struct flag_curl_transfer *transfer = context;
  (void)total, (void)received, (void)to_send;
  transfer->request.progress(transfer->request.context, sent);
  return 0;
}

// Keeps what is not on its way yet out of the system's buffers, which may take megabytes: so progress is that of the
// network. Where the option is not known, the progress is that of the buffers.
static int prepare_socket(void *context, int socket, int purpose) {
  const int bytes = 64 << 10;
  (void)context, (void)purpose;
  (void)setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
  return 0;
}

static bool set_text(void *handle, int option, const char *text) {
  return text == NULL || curl.easy_setopt(handle, option, text) == 0;
}

struct flag_curl_transfer *flag_curl_transfer_create(const struct flag_curl_request *request) {
  struct flag_curl_transfer *transfer = calloc(1, sizeof *transfer);
  if (transfer == NULL) return NULL;
  transfer->request = *request;
  void *handle = transfer->handle = curl.easy_init();
  bool is_ready = handle != NULL;
  for (size_t number = 0; is_ready && number < request->line_count; number++) {
    void *lines = curl.slist_append(transfer->lines, request->lines[number]);
    if (lines == NULL) {
      is_ready = false;
    } else {
      transfer->lines = lines;
    }
  }
  if (is_ready && request->has_body) {
    const void *body = request->length == 0 ? (const void *)"" : request->body;
    is_ready = curl.easy_setopt(handle, OPTION_POST_FIELD_SIZE_LARGE, (int64_t)request->length) == 0 &&
               curl.easy_setopt(handle, OPTION_COPY_POST_FIELDS, body) == 0;
  }
  is_ready = is_ready && curl.easy_setopt(handle, OPTION_URL, request->url) == 0 &&
             curl.easy_setopt(handle, OPTION_CUSTOM_REQUEST, request->method) == 0 &&
             curl.easy_setopt(handle, OPTION_PROTOCOLS, (long)PROTOCOLS_HTTP_AND_HTTPS) == 0 &&
             curl.easy_setopt(handle, OPTION_HTTP_HEADER, transfer->lines) == 0 &&
             curl.easy_setopt(handle, OPTION_NO_SIGNAL, 1L) == 0 &&
             set_text(handle, OPTION_CA_INFO, request->authorities) &&
             set_text(handle, OPTION_CERTIFICATE, request->certificate) &&
             set_text(handle, OPTION_KEY, request->key) &&
             // For a missing one the library may ask the terminal.
             set_text(handle, OPTION_KEY_PASSWORD, "") &&
             curl.easy_setopt(handle, OPTION_HEADER_FUNCTION, header) == 0 &&
             curl.easy_setopt(handle, OPTION_HEADER_DATA, transfer) == 0 &&
             curl.easy_setopt(handle, OPTION_WRITE_FUNCTION, content) == 0 &&
             curl.easy_setopt(handle, OPTION_WRITE_DATA, transfer) == 0 &&
             curl.easy_setopt(handle, OPTION_PRIVATE, transfer) == 0;
  if (!is_ready) {
    flag_curl_transfer_dispose(transfer);
    return NULL;
  }
  if (strcmp(request->method, "HEAD") == 0) curl.easy_setopt(handle, OPTION_NO_BODY, 1L);
  // An older library ignores options that it does not have.
  if (request->decodes) curl.easy_setopt(handle, OPTION_ACCEPT_ENCODING, "");
  curl.easy_setopt(handle, OPTION_TCP_KEEP_ALIVE, 1L);
  curl.easy_setopt(handle, OPTION_PROGRESS_FUNCTION, progress);
  curl.easy_setopt(handle, OPTION_PROGRESS_DATA, transfer);
  curl.easy_setopt(handle, OPTION_NO_PROGRESS, 0L);
  curl.easy_setopt(handle, OPTION_SOCKET_FUNCTION, prepare_socket);
  curl.easy_setopt(handle, OPTION_SUPPRESS_CONNECT_HEADERS, 1L);
  curl.easy_setopt(handle, OPTION_HTTP_09_ALLOWED, 0L);
  if (request->is_direct) curl.easy_setopt(handle, OPTION_PROXY, "");
  return transfer;
}

void flag_curl_transfer_dispose(struct flag_curl_transfer *transfer) {
  if (transfer->handle != NULL) curl.easy_cleanup(transfer->handle);
  curl.slist_free_all(transfer->lines);
  free(transfer);
}

// A loop is libcurl's multi handle.
struct flag_curl_loop *flag_curl_loop_create(void) { return curl.multi_init(); }

void flag_curl_loop_dispose(struct flag_curl_loop *loop) { curl.multi_cleanup(loop); }

bool flag_curl_loop_add(struct flag_curl_loop *loop, struct flag_curl_transfer *transfer) {
  return curl.multi_add_handle(loop, transfer->handle) == 0;
}

void flag_curl_loop_remove(struct flag_curl_loop *loop, struct flag_curl_transfer *transfer) {
  curl.multi_remove_handle(loop, transfer->handle);
}

void flag_curl_loop_perform(struct flag_curl_loop *loop) {
  int running = 0;
  curl.multi_perform(loop, &running);
}

void *flag_curl_loop_next(struct flag_curl_loop *loop, struct flag_curl_outcome *outcome) {
  int rest = 0;
  struct message *message = NULL;
  while ((message = curl.multi_info_read(loop, &rest)) != NULL) {
    struct flag_curl_transfer *transfer = NULL;
    if (message->message != MESSAGE_DONE) continue;
    *outcome = (struct flag_curl_outcome){.code = message->data.result};
    (void)curl.easy_getinfo(message->handle, INFO_OS_ERROR, &outcome->system_error);
    (void)curl.easy_getinfo(message->handle, INFO_VERIFICATION, &outcome->verification);
    (void)curl.easy_getinfo(message->handle, INFO_CONNECT_STATUS, &outcome->proxy_status);
    if (curl.easy_getinfo(message->handle, INFO_PRIVATE, &transfer) == 0 && transfer != NULL) {
      return transfer->request.context;
    }
  }
  return NULL;
}

const char *flag_curl_text(int code) { return curl.easy_strerror(code); }

void flag_curl_loop_wait(struct flag_curl_loop *loop, int event) {
  struct wait_descriptor extra = {event, WAIT_READABLE, 0};
  int ready = 0;
  uint64_t signals = 0;
  // The library wakes up earlier if it has work to do.
  curl.multi_wait(loop, &extra, 1, 60 * 60 * 1000, &ready);
  // An event without a signal is not an error: reading it does not block.
  (void)!read(event, &signals, sizeof signals);
}

int flag_curl_event_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void flag_curl_event_signal(int event) {
  const uint64_t one = 1;
  // It fails only if the counter is full; then the loop wakes up anyway.
  (void)!write(event, &one, sizeof one);
}

void flag_curl_event_close(int event) { close(event); }

#endif
