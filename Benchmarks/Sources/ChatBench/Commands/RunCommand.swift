import ArgumentParser
import BenchSupport
import ChatBenchSupport
import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTrust

/// Measures all subjects and prints the report.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures one subject after the other and prints each figure next to its goal.")

    @OptionGroup var parameters: Parameters
    @Option(
        help: "Measure only this subject: \(Subject.allCases.map(\.rawValue).joined(separator: ", ")). Repeatable.")
    var only: [Subject] = []
    @Flag(help: "Print every figure of every round as JSON.")
    var json = false

    func run() async throws {
        OpenFiles.raiseLimit()
        let folder = try WorkFolder(in: URL(fileURLWithPath: parameters.folder))
        defer { folder.remove() }
        var report = Report(parameters: parameters.asText, machine: Machine(folder: folder.root))
        let history = try folder.fresh()
        let isHistoryMeasured = subjects.contains(.history)
        for subject in subjects {
            StandardError.say(subject.rawValue)
            report.chapters.append(
                try await measure(subject, folder, history, isHistoryMeasured: isHistoryMeasured))
        }
        report.machine.noteLoad()
        try (json ? OutputFormat.json : .markdown).show(report, markdown: report.markdown)
    }

    private var subjects: [Subject] { only.isEmpty ? Subject.allCases : Subject.allCases.filter(only.contains) }

    private func measure(
        _ subject: Subject, _ folder: WorkFolder, _ history: URL, isHistoryMeasured: Bool
    ) async throws -> Chapter {
        switch subject {
        case .start:
            return try InitMeasurement(parameters: parameters, folder: folder, certificates: certificates()).run()
        case .send:
            var memory: WorkFolder?
            if FileManager.default.fileExists(atPath: parameters.memoryFolder) {
                memory = try WorkFolder(in: URL(fileURLWithPath: parameters.memoryFolder))
            }
            defer { memory?.remove() }
            return try await SendMeasurement(
                parameters: parameters, folder: folder, memory: memory, certificates: certificates()
            ).run()
        case .ready:
            return try await ReadyMeasurement(parameters: parameters, folder: folder).run()
        case .history:
            return try await HistoryMeasurement(parameters: parameters, folder: history).run()
        case .reads:
            return try await ReadingMeasurement(parameters: parameters, folder: folder).run()
        case .bytes:
            return try await BytesMeasurement(parameters: parameters, folder: folder).run()
        case .memory:
            if !isHistoryMeasured {
                var corpus = Corpus(seed: parameters.seed)
                _ = try HistoryMeasurement(parameters: parameters, folder: history).fill(&corpus)
            }
            return try await MemoryMeasurement(parameters: parameters, folder: folder, history: history).run()
        }
    }

    /// Returns two certificates: the server's and a backup.
    private func certificates() throws -> [[UInt8]] {
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        return [authority.leaf, authority.backupLeaf].map(\.certificateDER)
    }
}
