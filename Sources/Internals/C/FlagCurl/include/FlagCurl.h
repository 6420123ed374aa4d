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
  /// Whether proxies of the environment are ignored.
  bool is_direct;
  /// Whether the response may be compressed, and is decompressed.
  bool decodes;
  /// A PEM file of certificates to trust instead of the system's, or NULL.
  const char *authorities;
  /// The PEM files of the client certificate and of its key, which has no password; or NULL.
  const char *certificate;
  const char *key;
  /// Passed to the callbacks.
  void *context;
  /// Receives each line of a header with its line ending; returns whether to continue.
  bool (*header)(void *context, const char *line, size_t length);
  /// Receives the next bytes of the content; returns whether to continue.
  bool (*content)(void *context, const uint8_t *bytes, size_t length);
  /// Receives the number of bytes of the body that were sent until now, often and from time to time.
  void (*progress)(void *context, int64_t sent);
};

/// The outcome of a transfer.
struct flag_curl_outcome {
  /// libcurl's error, or 0.
  int code;
  /// The last errno of its connection, or 0.
  long system_error;
  /// OpenSSL's result of verifying the host's certificate; 0 for a valid one, or if there was none.
  long verification;
  /// The status of a proxy's response to CONNECT, or 0.
  long proxy_status;
};

struct flag_curl_transfer;
struct flag_curl_loop;

/// Loads libcurl, once for the process; every other function requires it.
///
/// Returns NULL, or an error message. Not thread-safe.
const char *flag_curl_load(void);

/// Creates a transfer; NULL if memory is exhausted or the address is invalid.
struct flag_curl_transfer *flag_curl_transfer_create(const struct flag_curl_request *request);
/// Releases a transfer that is in no loop.
void flag_curl_transfer_dispose(struct flag_curl_transfer *transfer);

/// Creates a loop for one thread; NULL if memory is exhausted.
struct flag_curl_loop *flag_curl_loop_create(void);
/// Releases a loop that has no transfers.
void flag_curl_loop_dispose(struct flag_curl_loop *loop);
/// Starts a transfer; returns whether it succeeded.
bool flag_curl_loop_add(struct flag_curl_loop *loop, struct flag_curl_transfer *transfer);
/// Ends a transfer.
void flag_curl_loop_remove(struct flag_curl_loop *loop, struct flag_curl_transfer *transfer);
/// Performs the work that does not block, and calls the transfers' callbacks.
void flag_curl_loop_perform(struct flag_curl_loop *loop);
/// Returns the context of a completed transfer, once, and how it has ended; NULL if no transfer has completed.
void *flag_curl_loop_next(struct flag_curl_loop *loop, struct flag_curl_outcome *outcome);
/// Returns libcurl's words for one of its errors, which name no address.
const char *flag_curl_text(int code);
/// Waits until there is work, or an event is signalled, and clears the signal.
void flag_curl_loop_wait(struct flag_curl_loop *loop, int event);

/// Creates an event that wakes a loop; -1 if the process is out of file descriptors.
int flag_curl_event_create(void);
/// Signals an event, from any thread.
void flag_curl_event_signal(int event);
void flag_curl_event_close(int event);

#endif
