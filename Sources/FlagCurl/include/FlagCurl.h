#ifndef FLAG_CURL_H
#define FLAG_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A request and the callbacks of its response. Everything but the context is copied.
struct flag_curl_request {
  const char *url;
  const char *method;
  /// Lines of the header, "Name: value" each.
  const char *const *lines;
  size_t line_count;
  bool has_body;
  const uint8_t *body;
  size_t length;
  /// Whether no proxy is used, whatever the environment says.
  bool is_direct;
  /// A file of certificates, in PEM, that is trusted in place of the system's; or NULL.
  const char *authorities;
  /// A file of the certificate with which the client shows who it is, and its type: NULL for PEM, or P12; or NULL.
  const char *certificate;
  const char *certificate_type;
  /// A file of the key of that, in PEM; NULL where the certificate's file holds it.
  const char *key;
  /// The password of the key; without one the terminal may be asked.
  const char *password;
  /// Handed to the closures.
  void *context;
  /// Hears each line of a header, its end included; returns whether to go on.
  bool (*header)(void *context, const char *line, size_t length);
  /// Hears the next bytes of the content; returns whether to go on.
  bool (*content)(void *context, const uint8_t *bytes, size_t length);
};

struct flag_curl_transfer;
struct flag_curl_loop;

/// Loads libcurl, once for the process; all else here needs that.
///
/// Returns NULL, or what is wrong. Not to be called by two threads at once.
const char *flag_curl_load(void);

/// Creates a transfer; NULL where there is no memory, or an address that is none.
struct flag_curl_transfer *flag_curl_transfer_create(const struct flag_curl_request *request);
/// Disposes of a transfer, which no loop holds.
void flag_curl_transfer_dispose(struct flag_curl_transfer *transfer);

/// Creates a loop, which one thread uses; NULL where there is no memory.
struct flag_curl_loop *flag_curl_loop_create(void);
/// Disposes of a loop that holds no transfer.
void flag_curl_loop_dispose(struct flag_curl_loop *loop);
/// Begins a transfer; returns whether that was possible.
bool flag_curl_loop_add(struct flag_curl_loop *loop, struct flag_curl_transfer *transfer);
/// Ends a transfer.
void flag_curl_loop_remove(struct flag_curl_loop *loop, struct flag_curl_transfer *transfer);
/// Does what can be done without waiting, and calls closures of transfers.
void flag_curl_loop_perform(struct flag_curl_loop *loop);
/// Returns the context of a transfer that has ended by itself, and how: 0, or an error of libcurl, and the last errno of
/// a connection, or 0. NULL where there is none. Each is returned once.
void *flag_curl_loop_next(struct flag_curl_loop *loop, int *code, long *system_error);
/// Waits until there is something to do, or an event is signalled, and takes the signal.
void flag_curl_loop_wait(struct flag_curl_loop *loop, int event);

/// Creates an event, which wakes a loop; -1 where the process has no descriptor left.
int flag_curl_event_create(void);
/// Signals an event; any thread may.
void flag_curl_event_signal(int event);
void flag_curl_event_close(int event);

#endif
