#include "FlagThreads.h"

_Thread_local long flag_thread_word;
_Thread_local long flag_thread_listener;
