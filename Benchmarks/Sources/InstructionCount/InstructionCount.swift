import ArgumentParser
import Foundation

struct InstructionCount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts the instructions of one operation, and compares them with budgets.",
        subcommands: [CompareCommand.self, WorkCommand.self], defaultSubcommand: CompareCommand.self)
}

/// The main function is not asynchronous: an asynchronous one ends the main thread, and Valgrind crashes in its
/// place.
@main
enum Program {
    static func main() {
        let finished = DispatchSemaphore(value: 0)
        Task.detached {
            await InstructionCount.main()
            finished.signal()
        }
        finished.wait()
    }
}
