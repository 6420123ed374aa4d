import FlagDomain
