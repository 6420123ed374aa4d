// Threads, and the clocks that can be read of them.
#ifndef DARWIN_THREADS_H
#define DARWIN_THREADS_H
#include "darwin_types.h"

struct _opaque_pthread_t {
  long signature;
  char opaque[8184];
};
typedef struct _opaque_pthread_t *pthread_t;
typedef struct {
  long signature;
  char opaque[56];
} pthread_attr_t;
typedef unsigned long pthread_key_t;

int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nullable argument);
int pthread_detach(pthread_t _Nonnull thread);
int pthread_setname_np(const char *_Nonnull name);
int pthread_key_create(pthread_key_t *_Nonnull key, void (*_Nullable ended)(void *_Nonnull));
int pthread_setspecific(pthread_key_t key, const void *_Nullable value);
void *_Nullable pthread_getspecific(pthread_key_t key);

typedef enum {
  CLOCK_REALTIME = 0,
  CLOCK_MONOTONIC_RAW = 4,
  CLOCK_MONOTONIC = 6,
  CLOCK_UPTIME_RAW = 8,
  CLOCK_PROCESS_CPUTIME_ID = 12,
  CLOCK_THREAD_CPUTIME_ID = 16
} clockid_t;
int clock_gettime(clockid_t clock, struct timespec *_Nonnull time);
time_t time(time_t *_Null_unspecified seconds);
int nanosleep(const struct timespec *_Nonnull time, struct timespec *_Nullable rest);
#endif
