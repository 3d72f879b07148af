import ArgumentParser
import Foundation
import HoldfastBase

/// A command of the tool. It uses only a ``Console`` for input and output, so that tests can run it in their own
/// process.
protocol ToolCommand: AsyncParsableCommand {
    /// Whether the command may run until it is interrupted.
    var isLongRunning: Bool { get }
    /// Executes the command. Throws ``ToolError``, or any other error, which is described in one sentence.
    mutating func run(on console: Console) async throws
}

extension ToolCommand {
    var isLongRunning: Bool { false }

    mutating func run() async throws {
        try await run(on: .standard)
    }
}

extension ParsableArguments {
    /// Throws a usage error unless the condition holds.
    func check(_ isRight: Bool, _ message: String) throws {
        if !isRight { throw ValidationError(message) }
    }
}

/// One run of the tool: parses the arguments, executes the command and reports an error in one sentence.
struct ToolRun {
    /// The console for all input and output.
    let console: Console
    /// The environment variables with settings of servers.
    var environment = ProcessInfo.processInfo.environment

    /// Runs the tool with these arguments, without the program's name. Never throws.
    func run(_ arguments: [String]) async -> ToolStatus {
        if arguments.first == Holdfast.versionOption { return version(arguments.count == 1) }
        if let mistake = MistypedCommand(in: arguments) {
            console.note(mistake.message)
            return .usage
        }
        let settings: ServerSettings
        do {
            settings = try ServerSettings(arguments, environment: environment)
        } catch {
            return answer(running: error)
        }
        for name in settings.unknownVariables {
            console.note("WARNING: the environment variable \(Printable.text(name)) has no effect")
        }
        var command: any ParsableCommand
        do {
            command = try Holdfast.parseAsRoot(settings.arguments)
        } catch {
            let status = answer(parsing: error)
            if status == .usage, let origin = settings.origin { console.note(console.fitted(origin)) }
            return status
        }
        do {
            if var command = command as? any ToolCommand {
                if command.isLongRunning { console.beginLongRun() }
                try await command.run(on: console)
            } else {
                // Only the argument parser's own commands come here: `help`, and the root without a subcommand.
                try command.run()
            }
            return .success
        } catch let error where Holdfast.exitCode(for: error).isSuccess || error is ValidationError {
            return answer(parsing: error)
        } catch {
            return answer(running: error)
        }
    }

    /// Reports the error of a command in one sentence.
    private func answer(running error: any Error) -> ToolStatus {
        let error = ToolError(describing: error)
        if !error.sentence.isEmpty { console.note(console.fitted("holdfast: \(error.sentence)")) }
        return error.status
    }

    /// Prints the version.
    private func version(_ isAlone: Bool) -> ToolStatus {
        guard isAlone else {
            console.note("Error: \(Holdfast.versionOption) cannot be combined with other arguments.")
            return .usage
        }
        do { try console.print("holdfast \(PackageVersion.current)") } catch { return .unusableInput }
        return .success
    }

    /// Handles what the argument parser throws: a request for help, or an invalid command line.
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
