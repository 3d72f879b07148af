import ArgumentParser
import HoldfastBase
import HoldfastFormats
import HoldfastLint
import HoldfastTrust

/// `holdfast pin advise`: says which keys to pin.
struct PinAdviseCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "advise",
        abstract: "Advise which keys to pin, what each choice survives, and when it ends.",
        discussion: """
            The first source is the server's current chain: a server, or a file with its certificates, the server's own \
            first. The others are backups: public keys, certification requests, or chains of later certificates.

            A key is advised only if it is on a verified path, or if it is a backup in a file. A single key is never \
            advised, nor the server's key without a backup. Exit codes: 0 keys are advised, 1 something is missing, 2 a \
            source cannot be used.
            """,
        examples: [
            "holdfast pin advise example.com backup.pem",
            "holdfast pin advise chain.pem public.pem --trust-anchors root.pem",
            "holdfast pin advise example.com backup.pem --policy > policy.json",
        ]
    )

    @Argument(help: ArgumentHelp("Files, - or a server.", valueName: "file | host[:port] | url"), completion: .file())
    var sources: [String]

    @Flag(help: "Print a policy file with the advised keys.")
    var policy = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Require and print the keys of the CA and a backup instead of the server's own keys.")
    var authority = false

    @Option(
        help: ArgumentHelp(
            "The host or pattern (default: the server, or the certificate's first name).", valueName: "host"))
    var host: String?

    @Option(
        help: ArgumentHelp("Certificates to use instead of the machine's roots.", valueName: "file"),
        completion: .file())
    var trustAnchors: String?

    @Option(
        help: ArgumentHelp("A policy file whose denied keys are not advised.", valueName: "file"), completion: .file())
    var denied: String?

    @Option(
        help: ArgumentHelp("A file whose first line is the password of the PKCS #12 files.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Option(help: ArgumentHelp("The time of the check, as in 2027-01-31T00:00:00Z (default: now).", valueName: "time"))
    var at: Timestamp?

    func validate() throws {
        try check(sources.filter({ $0 == "-" }).count < 2, "standard input can be given only once")
        try check(!json || !policy, "--json cannot be combined with --policy")
    }

    func run(on console: Console) async throws {
        let pattern = try host.map { text in
            try ToolError.explaining("--host: ", status: .usage, HostPattern(text))
        }
        // Parse all sources first, so that a mistyped one does not cost connections to the others.
        let targets = try sources.map { try PinTarget($0) }
        let anchors = try AdviceAnchors(file: trustAnchors)
        let deniedKeys = try deniedPins(on: console)
        var reports: [PinReport] = []
        for target in targets {
            reports.append(try await target.report(passwordFile: passwordFile, on: console))
        }
        guard passwordFile == nil || reports.contains(where: \.isPKCS12) else {
            throw ToolError("--password-file needs a PKCS #12 file (.p12, .pfx) as a source", status: .usage)
        }
        let sources = try AdviceSources(reports, host: pattern)
        let advice = try sources.advice(anchors, denied: deniedKeys, at: at ?? TrustClock.system.now())
        try print(advice, on: console)
        let plan = authority ? advice.authorityKeys : advice.ownKeys
        if !plan.isAdvised { throw ToolError("", status: .failure) }
    }

    private func print(_ advice: PinAdvice, on console: Console) throws {
        if json {
            try console.print(try PrettyJSON.text(of: advice))
        } else if policy {
            let plan = authority ? advice.authorityKeys : advice.ownKeys
            for note in advice.notes { console.note(console.fitted(note.text)) }
            guard let written = advice.policy(for: plan) else {
                console.note(
                    console.fitted("No policy is printed: \(Printable.text(plan.missing.joined(separator: "; ")))."))
                for command in advice.commands { console.note("  " + command) }
                return
            }
            for finding in written.findings where finding.severity != .note {
                console.note(LintReport.line(finding, in: "--policy", console.noteStyle()))
            }
            guard let text = written.text else { throw ToolError("the pins cannot be expressed as a policy") }
            try console.output(Array(text.utf8))
        } else {
            try console.print(advice.text(width: console.columns(), fitted: console.fitted))
        }
    }

    private func deniedPins(on console: Console) throws -> PinSet {
        guard let denied else { return PinSet([]) }
        let input = try PolicyInput.parse([])
        return try input.policy(denied, as: nil, on: console).policy.denied
    }
}
