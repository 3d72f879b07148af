import ArgumentParser
import HoldfastWebSocket

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `holdfast-conformance autobahn-client`.
struct AutobahnClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "autobahn-client", abstract: "Lets the fuzzing server of the Autobahn suite judge the client.",
        discussion: """
            Echoes in every case that the server has, and then asks it to write its report. Exit code 1 if the server
            cannot be talked to, or a case could not be begun; the verdict on the cases is in the report.
            """)

    @Argument(help: "Where the server is: ws://127.0.0.1:9001; by default what AUTOBAHN_URL says.") var url: String?
    @Option(help: "The name that the report calls the client by.") var agent = "Holdfast"
    @Option(help: "The number of the first case.") var first = 1
    @Option(help: "The number of the last case; by default as many as the server has.") var last: Int?
    @OptionGroup var options: AutobahnOptions

    func validate() throws {
        guard first >= 1, last ?? first >= first else { throw ValidationError("--first and --last are no range.") }
        guard !agent.isEmpty, agent.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"&#%+?/".utf8.contains($0) }) else {
            throw ValidationError("--agent is a name without blanks and without &, #, %, +, ? and /.")
        }
    }

    func run() async throws {
        guard let base = url ?? ProcessInfo.processInfo.environment["AUTOBAHN_URL"] else {
            throw ValidationError("Name the server's URL, or set AUTOBAHN_URL.")
        }
        let client = WebSocketClient()
        let count = try await caseCount(client, base)
        let last = min(last ?? count, count)
        guard first <= last else { throw ValidationError("The server has \(count) cases.") }
        var options = WebSocketOptions(limits: AutobahnOptions.limits)
        options.keepAlive = nil
        options.deflate = self.options.compression
        options.fragmentSize = self.options.fragmentSize
        var missing = 0
        for number in first...last {
            do {
                let connection = try await client.connect(
                    "\(base)/runCase?case=\(number)&agent=\(agent)", options: options)
                await connection.echo()
            } catch {
                missing += 1
                print("Case \(number) could not be begun: \(error)")
            }
        }
        let report = try await client.connect("\(base)/updateReports?agent=\(agent)")
        for try await _ in report.messages {}
        guard missing == 0 else {
            print("\(missing) of \(last - first + 1) cases were not run.")
            throw ExitCode.failure
        }
    }

    private func caseCount(_ client: WebSocketClient, _ base: String) async throws -> Int {
        let connection = try await client.connect("\(base)/getCaseCount")
        for try await message in connection.messages {
            if case .text(let text) = message, let count = Int(text) { return count }
        }
        throw ValidationError("The server does not tell how many cases it has.")
    }
}
