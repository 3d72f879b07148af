import ArgumentParser
import Dispatch
import HTTPTypes
import HoldfastBase
import HoldfastTransport
import HoldfastTrust

/// `holdfast get`: one request to a pinned server. See docs/get.md.
struct GetCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Send a request to a pinned server, and print or save its response.",
        discussion: """
            The body goes to standard output, everything else to standard error. Exit codes: 0 a complete response; \
            1 the server was refused; 2 a file or the input is unusable; 3 the server cannot be reached; 4 an error \
            status; 5 a redirect was refused; 6 the output file exists; 7 the file changed on the server; 8 the \
            output cannot be written; 9 an invalid or incomplete response; 64 the command line is invalid. See \
            docs/get.md.
            """,
        examples: [
            "holdfast get https://example.com/",
            "holdfast get https://example.com/file.tar --output file.tar --continue",
            "holdfast get https://example.com/ --policy policy.json --verbose",
            "holdfast get https://example.com/api --data '{}' --json",
        ]
    )

    @Argument(help: ArgumentHelp("The URL: https://host[:port]/path.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The method (default: GET, with a body POST).", valueName: "name"))
    var method: String?

    @Flag(help: "Request only the head (HEAD), and print it.")
    var head = false

    @Option(
        help: ArgumentHelp(
            "A header field, or @ and a file of fields, one per line. Repeatable.", valueName: "'name: value'"))
    var header: [String] = []

    @Option(help: ArgumentHelp("The User-Agent field (default: holdfast); empty for none.", valueName: "text"))
    var userAgent: String?

    @Option(help: ArgumentHelp("The body: text, or @ and a file. @- is standard input.", valueName: "text"))
    var data: String?

    @Option(
        help: ArgumentHelp("A file with the body; - is standard input.", valueName: "file"), completion: .file())
    var dataFile: String?

    @Option(
        help: ArgumentHelp("Write the body to this file, when it is complete.", valueName: "file"), completion: .file())
    var output: String?

    @Flag(name: .customLong("continue"), help: "Resume an unfinished download of the file.")
    var continues = false

    @Flag(help: "Replace the file and an unfinished download of it.")
    var force = false

    @Option(help: ArgumentHelp("The SHA-256 that the downloaded file must have.", valueName: "hex"))
    var sha256: String?

    @Option(help: ArgumentHelp("The maximum size of the body (default: none).", valueName: "bytes"))
    var maxSize: Int64?

    @Option(
        help: ArgumentHelp(
            "How often in a row a download continues after a lost connection (default: 4).", valueName: "number"))
    var retries: Int?

    @Flag(help: "Print the head of the response before the body.")
    var include = false

    @Flag(help: "Omit the body of an error response.")
    var fail = false

    @Flag(help: "Request a compressed body, and decompress it.")
    var compressed = false

    @Option(help: ArgumentHelp("The maximum number of redirects; 0 returns them (default: 10).", valueName: "number"))
    var maxRedirects = 10

    @Flag(help: "Use only HTTP/1.1.")
    var http1 = false

    @Flag(help: "Use only HTTP/2.")
    var http2 = false

    @Option(help: ArgumentHelp("The time limit without progress.", valueName: "seconds"))
    var idleTimeout = 30

    @Option(help: ArgumentHelp("The time limit for everything (default: none).", valueName: "seconds"))
    var maxTime: Int?

    @Option(
        help: ArgumentHelp(
            "The IP address to connect to for a host and port. Repeatable.", valueName: "host:port:address"))
    var resolve: [String] = []

    @OptionGroup var client: ClientOptions

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print the connection, the verdict, and the head of each request and response.")
    var verbose = false

    @Flag(help: "Allow http: to other machines. All data can be read and changed in transit.")
    var dangerouslyAllowCleartext = false

    /// Closing standard output ends the command, unless only the file is needed.
    var isLongRunning: Bool { output == nil || output == "-" || json || include }

    func validate() throws {
        try client.validate(with: connection)
        try validateRequest()
        try validateOutput()
        try check(!http1 || !http2, "--http1 and --http2 contradict each other.")
        try check((0...50).contains(maxRedirects), "--max-redirects must be 0 to 50.")
        try check((1...86_400).contains(idleTimeout), "--idle-timeout must be 1 to 86400 seconds.")
        try check((1...2_592_000).contains(maxTime ?? 1), "--max-time must be 1 to 2592000 seconds.")
        try check(
            resolve.isEmpty || connection.connectTo == nil, "--resolve and --connect-to cannot be combined.")
        try check(
            resolve.isEmpty || connection.proxy == nil,
            "--resolve and --proxy cannot be combined: the proxy resolves names.")
    }

    private func validateRequest() throws {
        try check(data == nil || dataFile == nil, "--data and --data-file cannot be combined.")
        try check(
            !head || (method == nil && body == nil && output == nil),
            "--head cannot be combined with --method, --data, --data-file and --output: the response has no body.")
        let usesInput = body?.source == .standardInput
        try check(
            [usesInput, connection.policy == "-", connection.input.keys == "-"].count(where: \.self) < 2,
            "Standard input can be given only once.")
    }

    private func validateOutput() throws {
        try check(!continues || !force, "--continue and --force contradict each other.")
        try check(output != nil || (!continues && !force), "--continue and --force need --output.")
        let isResumable = GetRun.isResumable(method: methodName, hasBody: body != nil, isCompressed: compressed)
        try check(
            (output != nil && isResumable) || (!continues && sha256 == nil && retries == nil),
            "--continue, --sha256 and --retries need --output and a GET request without a body and --compressed.")
        try check(!json || !include, "--json and --include cannot be combined: the object has the head.")
        try check(!head || !fail, "--head and --fail cannot be combined: the response has no body.")
        try check((maxSize ?? 1) > 0, "--max-size must be at least 1 byte.")
        try check((0...100).contains(retries ?? 0), "--retries must be 0 to 100.")
    }

    func run(on console: Console) async throws {
        let start = ContinuousClock.now
        let limit: Duration? = maxTime.map { .seconds($0) }
        let (run, connector): (GetRun, ResolvingConnector)
        do {
            // A policy, keys or header fields can come from a pipe, whose writer may take any time.
            (run, connector) = try await GetLimit.run(limit) {
                try await BlockingRead.run(on: DispatchQueue(label: "holdfast.get")) { try prepare(on: console) }
            }
        } catch let failure as GetFailure {
            throw ToolError(failure.sentence, status: failure.status)
        }
        defer {
            for server in run.journal.response == nil ? [] : connector.unused {
                run.screen.note("warning: --resolve had no effect: no connection went to \(server)")
            }
        }
        try await run.since(start).run()
    }

    /// Reads all files that the options name, except the body. Blocks the calling thread.
    private func prepare(on console: Console) throws -> (GetRun, ResolvingConnector) {
        let target = try GetTarget(url)
        // Read only once, because a pipe with credentials has no second copy.
        let given = try givenFields()
        let request = try self.request(to: target, given)
        let connector = ResolvingConnector(try ResolveArgument.addresses(resolve))
        var plan = try self.plan(given)
        let trust = try client.trust(
            for: target.server, isSecure: target.url.scheme.isSecure, scheme: "https", with: connection, on: console)
        // --pin has keys of one host, and a redirect must not choose who receives the client's certificate.
        if case .pins = trust { plan.onlyHost = target.server.host }
        if client.cert != nil { plan.onlyHost = target.server.host }
        let prober = try connection.prober(trust: trust)
        let place = try self.place()
        let screen = GetScreen(console: console, showsProgress: place.path != nil || !console.outputIsTerminal)
        let journal = GetJournal(
            target.url, prober: prober, screen: screen, isVerbose: verbose, hidden: Set(given.map(\.name)))
        let run = GetRun(
            request: request, body: try body?.body(reading: console.input), output: place, plan: plan, prober: prober,
            client: HTTPClient(configuration: try configuration(prober, for: target), connector: connector),
            journal: journal, screen: screen, console: console)
        return (run, connector)
    }

    // MARK: From options to values

    private var body: GetBody? { GetBody(data: data, file: dataFile) }

    /// The method of the request, which may be invalid.
    private var methodName: String { method ?? (head ? "HEAD" : body == nil ? "GET" : "POST") }

    /// The fields that `--header` gives.
    func givenFields() throws(ToolError) -> [HTTPField] {
        var fields: [HTTPField] = []
        for argument in header { fields += try HeaderArgument.fields(argument) }
        return fields
    }

    func request(to target: GetTarget, _ given: [HTTPField]) throws(ToolError) -> HTTPRequest {
        guard let method = HTTPRequest.Method(methodName) else {
            throw ToolError("--method: the text is not a valid method name", status: .usage)
        }
        var fields = HTTPFields()
        for field in given { fields.append(field) }
        if !fields.contains(.accept) { fields[.accept] = "*/*" }
        if let userAgent {
            guard HTTPField.isValidValue(userAgent) else {
                throw ToolError("--user-agent: the text contains an invalid character", status: .usage)
            }
            guard !fields.contains(.userAgent) else {
                throw ToolError("--user-agent and --header give two values for User-Agent", status: .usage)
            }
            if !userAgent.isEmpty { fields[.userAgent] = userAgent }
        } else if !fields.contains(.userAgent) {
            fields[.userAgent] = "holdfast"
        }
        return target.url.request(method, fields)
    }

    /// Returns the plan of a request with these fields of the user.
    func plan(_ given: [HTTPField] = []) throws(ToolError) -> GetPlan {
        var plan = GetPlan()
        // A HEAD request has no other result than the head.
        plan.includesHead = include || (head && !json)
        plan.omitsErrors = fail
        plan.isJSON = json
        plan.isVerbose = verbose
        plan.isCompressed = compressed
        plan.resumption = continues ? .keeps : force ? .startsAgain : .automatic
        plan.maximumBytes = maxSize
        // A field of the user may be a credential, so another origin gets only fields that never are.
        let secret = Set(given.map(\.name)).subtracting([.accept, .acceptLanguage, .contentType, .userAgent])
        plan.redirects = maxRedirects == 0 ? .deliver : .follow(limit: maxRedirects, credentialFields: secret)
        plan.idleTimeout = .seconds(idleTimeout)
        plan.totalTimeout = maxTime.map { .seconds($0) }
        if let retries { plan.retries = retries }
        if let sha256 {
            guard let checksum = Checksum(.sha256, hex: sha256) else {
                throw ToolError("--sha256 must have 64 hexadecimal digits", status: .usage)
            }
            plan.checksum = checksum
        }
        return plan
    }

    /// Returns the place of the body. Throws one sentence.
    private func place() throws(ToolError) -> GetOutput {
        let place = GetOutput(output)
        if case .file = place { return place }
        guard !continues, !force, sha256 == nil, retries == nil else {
            throw ToolError("--continue, --force, --sha256 and --retries need a regular file", status: .usage)
        }
        return place
    }

    func configuration(_ prober: Prober, for target: GetTarget) throws -> TransportConfiguration {
        var configuration = prober.configuration(
            trust: prober.trust.context(anchors: prober.anchors), for: target.server)
        configuration.proxyTimeout = prober.timeout
        configuration.httpVersions = http1 ? .http1Only : http2 ? .http2Only : .automatic
        configuration.dangerouslyAllowsCleartext = dangerouslyAllowCleartext
        configuration.clientIdentity = try client.identity()
        return configuration
    }
}
