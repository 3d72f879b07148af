import ArgumentParser
import Foundation
import HoldfastLint
import HoldfastTrust

/// The program `holdfast-lint`, which the plugins for SwiftPM run: `holdfast lint` for a package, without the
/// dependencies of the whole tool.
@main
struct LintProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast-lint",
        abstract: "Find mistakes in the policies, property lists and certificate folders of a package.",
        discussion: """
            Without files, the package is searched for policies, property lists with pins and Android's \
            configurations; its holdfast-lint.json can name others, and folders of certificates. Exit codes: 0 no \
            finding above a note, 1 an error or a warning, 2 something cannot be checked, 64 the command line is \
            invalid. docs/ci.md describes the search, docs/lint.md the findings.
            """
    )

    @OptionGroup var options: LintOptions

    func run() throws {
        let answer: LintOptions.Answer
        do throws(LintFailure) {
            answer = try options.answer(
                environment: ProcessInfo.processInfo.environment, now: TrustClock.system.now())
        } catch {
            FileHandle.standardError.write(Data("holdfast-lint: \(error)\n".utf8))
            throw ExitCode(2)
        }
        if let text = answer.text { print(text) }
        if let note = answer.note { FileHandle.standardError.write(Data("\(note)\n".utf8)) }
        guard answer.passes else { throw ExitCode(1) }
    }
}
