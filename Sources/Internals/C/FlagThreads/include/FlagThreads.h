#ifndef FLAG_THREADS_H
#define FLAG_THREADS_H

/// A word of the calling thread, 0 at first.
///
/// Swift has no thread-local storage of its own, and pthread_getspecific takes ten times as long as this.
extern _Thread_local long flag_thread_word;

/// Returns the calling thread's word.
///
/// Always inlined: the compiler would call it from large functions.
static inline __attribute__((always_inline)) long flag_thread_word_get(void) { return flag_thread_word; }

/// Sets the calling thread's word.
static inline void flag_thread_word_set(long word) { flag_thread_word = word; }

/// Another word of the calling thread, 0 at first: what it calls, if that is a listener.
extern _Thread_local long flag_thread_listener;

/// Returns what the calling thread calls, or 0.
static inline long flag_thread_listener_get(void) { return flag_thread_listener; }

/// Sets what the calling thread calls.
static inline void flag_thread_listener_set(long listener) { flag_thread_listener = listener; }

/// Starts a thread that ends with a function, and for which nobody waits; returns 0, or the number of an error.
///
/// In C, since the handle of a thread is a pointer on some systems and a number on others.
int flag_thread_start(void *(*body)(void *context), void *context);

/// Names the calling thread.
void flag_thread_set_name(const char *name);

#endif
