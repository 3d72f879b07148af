import ArgumentParser
import HoldfastTrust

/// `holdfast pin`: prints the pins of what a file holds or a server presents.
struct PinCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Prints the pin of each certificate, certification request or public key.",
        discussion: """
            The source is a file (PEM or DER), - for standard input, or a server as host:port. Nothing about a server is \
            trusted: its certificates are printed as it presents them, with what the system verification says of them.
            """
    )

    @Argument(help: ArgumentHelp("A file, - or host:port.", valueName: "file | host:port"))
    var source: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run(on console: Console) async throws {
        let report: PinReport
        switch try PinTarget(source) {
        case .file(let path):
            let bytes = try InputFile(path: path).readAll(limit: CertificateLoading.sizeLimit)
            report = try PinReport(of: bytes, from: .file(path, isDER: !PEMReader.isPEM(bytes)))
        case .standardInput:
            let bytes = try console.readAll(limit: CertificateLoading.sizeLimit)
            report = try PinReport(of: bytes, from: .standardInput(isDER: !PEMReader.isPEM(bytes)))
        case .server(let host, let port):
            report = try await PresentedCertificates(host: host, port: port).report()
        }
        try console.print(json ? try report.json : report.text(at: TrustClock.system.now()))
    }
}
