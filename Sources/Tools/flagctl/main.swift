import FlagCLI

FlagTool.main()
