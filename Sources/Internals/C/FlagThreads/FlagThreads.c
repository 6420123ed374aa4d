#define _GNU_SOURCE
#include "FlagThreads.h"

#include <pthread.h>

_Thread_local long flag_thread_word;
_Thread_local long flag_thread_listener;

int flag_thread_start(void *(*body)(void *context), void *context) {
  pthread_t thread;
  int failure = pthread_create(&thread, 0, body, context);
  if (failure == 0) pthread_detach(thread);
  return failure;
}

void flag_thread_set_name(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}
