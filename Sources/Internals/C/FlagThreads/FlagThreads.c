#include "FlagThreads.h"

_Thread_local long flag_thread_word;
