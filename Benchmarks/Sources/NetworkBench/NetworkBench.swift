import ArgumentParser
import BenchSupport
import ChatBenchSupport
import Foundation

/// Compares HTTP clients over simulated networks. All traffic passes a relay that delays, limits and cuts it.
@main
struct NetworkBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "NetworkBench",
        abstract: "Measures a page, the first byte, a chat's start and an upload with a cut, over simulated networks.")

    @OptionGroup var parameters: Parameters
    @Option(help: "Measure only this subject: page, first-byte, ready, upload. Repeatable.")
    var only: [Subject] = []
    @Flag(help: "Print every figure of every round as JSON.")
    var json = false

    func run() async throws {
        OpenFiles.raiseLimit()
        let folder = try WorkFolder(in: URL(fileURLWithPath: parameters.folder))
        defer { folder.remove() }
        let site = try NetworkSite()
        var clients: [any Client] = [try HoldfastClient(site), try AsyncHTTPClientClient(site)]
        if let curl = try CurlClient(site, folder: folder.fresh()) { clients.append(curl) }
        var report = Report(parameters: parameters.asText)
        for network in parameters.networks {
            var chapter = Chapter(network: network.name)
            for subject in Subject.allCases where only.isEmpty || only.contains(subject) {
                StandardError.say("\(network.name): \(subject.rawValue)")
                chapter.figures += try await measure(subject, network, clients, site, folder)
            }
            report.chapters.append(chapter)
        }
        report.noteLoad()
        try (json ? OutputFormat.json : .markdown).show(report, markdown: report.markdown)
    }

    private func measure(
        _ subject: Subject, _ network: Network, _ clients: [any Client], _ site: NetworkSite, _ folder: WorkFolder
    ) async throws -> [Figure] {
        switch subject {
        case .page:
            let page = Page(requests: parameters.requests, seed: parameters.seed)
            var figures: [Figure] = []
            for version in HTTPVersion.allCases {
                figures += try await PageMeasurement(
                    network: network, page: page, version: version, rounds: parameters.rounds
                ).run(clients, site)
            }
            return figures
        case .firstByte:
            return try await FirstByteMeasurement(network: network, rounds: parameters.rounds).run(clients, site)
        case .ready:
            return try await ChatMeasurement(network: network, rounds: parameters.rounds, folder: folder).run()
        case .upload:
            guard parameters.uploads > 0 else { return [] }
            return try await UploadMeasurement(
                network: network, rounds: parameters.uploads, megabytes: parameters.megabytes, seed: parameters.seed,
                folder: folder
            ).run(clients, site)
        }
    }
}

/// The subjects of the measurements.
enum Subject: String, CaseIterable, ExpressibleByArgument {
    case page
    case firstByte = "first-byte"
    case ready
    case upload
}
