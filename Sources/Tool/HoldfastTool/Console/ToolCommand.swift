import ArgumentParser

/// A command of the tool. It talks through a ``Console`` alone, so that a test can run it in its own process.
protocol ToolCommand: AsyncParsableCommand {
    /// Whether the command may run until it is interrupted.
    var isLongRunning: Bool { get }
    /// Carries the command out. Throws ``ToolError`` (or any error, which is put into one sentence).
    mutating func run(on console: Console) async throws
}

extension ToolCommand {
    var isLongRunning: Bool { false }

    mutating func run() async throws {
        try await run(on: .standard)
    }
}

extension ParsableArguments {
    /// Refuses the command line unless the condition holds.
    func check(_ isRight: Bool, _ message: String) throws {
        if !isRight { throw ValidationError(message) }
    }
}

/// One run of the tool: reads the arguments, carries the command out, says what went wrong in one sentence.
struct ToolRun {
    /// Where everything goes that is said.
    let console: Console

    /// Runs the tool with these arguments, the program's name left out. Never throws.
    func run(_ arguments: [String]) async -> ToolStatus {
        var command: any ParsableCommand
        do {
            command = try Holdfast.parseAsRoot(arguments)
        } catch {
            return answer(parsing: error)
        }
        do {
            if var command = command as? any ToolCommand {
                if command.isLongRunning { console.beginLongRun() }
                try await command.run(on: console)
            } else {
                // Only the library's own commands come here: `help`, and the root without a subcommand.
                try command.run()
            }
            return .success
        } catch let error where Holdfast.exitCode(for: error).isSuccess || error is ValidationError {
            return answer(parsing: error)
        } catch {
            let error = ToolError(describing: error)
            if !error.sentence.isEmpty { console.note(console.fitted("holdfast: \(error.sentence)")) }
            return error.status
        }
    }

    /// What the argument parser throws is a wish for help, or a mistake on the command line.
    private func answer(parsing error: any Error) -> ToolStatus {
        let message = Holdfast.fullMessage(for: error)
        if Holdfast.exitCode(for: error).isSuccess {
            do { try console.print(message) } catch { return .unusableInput }
            return .success
        }
        console.note(message)
        return .usage
    }
}
