import ChatServerCore
import ChatWire
import HoldfastBase
import Hummingbird
import NIOCore
import ServerKit

/// The operators' interface: lists clients and messages, and executes the same actions as a script.
struct OperatorRoutes: Sendable {
    let driver: ChatServerDriver
    let token: OperatorToken
    let allowsRemote: Bool

    static let root = "/operator"
    /// The maximum size of an action in bytes.
    private static let actionBytes = FailureMiddleware.strayBodyBytes

    /// Adds the routes to a router.
    func add(to router: Router<ServerRequestContext>) {
        router.get(RouterPath(Self.root)) { request, context in
            try await answer(.overview, request, context)
        }
        router.get(RouterPath(Self.root + "/clients")) { request, context in
            let offset = try Self.number("offset", in: request) ?? 0
            let count = try Self.number("count", in: request) ?? 100
            return try await answer(.clients(offset: offset, count: count), request, context)
        }
        router.get(RouterPath(Self.root + "/clients/:client")) { request, context in
            try await answer(.client(try Self.client(context)), request, context)
        }
        router.get(RouterPath(Self.root + "/clients/:client/messages")) { request, context in
            let bound = try RESTRoutes.historyRequest(request).bound
            let count = try Self.number("count", in: request) ?? 30
            return try await answer(
                .messages(clientID: try Self.client(context), bound, count: count), request, context)
        }
        router.post(RouterPath(Self.root + "/actions")) { request, context in
            try await act(in: nil, request, context)
        }
        router.post(RouterPath(Self.root + "/clients/:client/actions")) { request, context in
            try await act(in: try Self.client(context), request, context)
        }
        router.put(RouterPath(Self.root + "/script")) { request, context in
            try authorise(request, context)
            let bytes = try await Self.body(of: request, upTo: ChatServerScript.maximumBytes)
            let script: ChatServerScript
            do throws(ChatScriptError) {
                script = try ChatServerScript(json: bytes)
            } catch {
                return Self.refusal("script.invalid", error.problems)
            }
            return try await answer(.load(script.script), request, context)
        }
    }

    /// Executes the actions of a request body in order. The first refusal ends the execution; earlier actions stay in
    /// effect.
    private func act(
        in clientID: String?, _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        try authorise(request, context)
        var reader = ScriptReader()
        let actions = reader.actions(try await Self.body(of: request, upTo: Self.actionBytes))
        guard reader.problems.isEmpty, !actions.isEmpty else {
            return Self.refusal("action.invalid", reader.problems)
        }
        var done: [JSONValue] = []
        for action in actions {
            let answer = try await ask(.perform(action, clientID: clientID))
            if let refusal = answer.refusal {
                var object = answer.json.objectValue ?? [:]
                object["done"] = .array(done)
                return .json(JSONValue.object(object).bytes, status: refusal.status)
            }
            done.append(answer.json)
        }
        return .json(JSONValue.object(["done": .array(done)]).bytes)
    }

    private func answer(
        _ operatorRequest: OperatorRequest, _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        try authorise(request, context)
        let answer = try await ask(operatorRequest)
        if let refusal = answer.refusal {
            throw RESTFailure(refusal.status, ErrorAnswer(refusal.code.rawValue, details: refusal.reason))
        }
        return .json(answer.json.bytes)
    }

    private func ask(_ request: OperatorRequest) async throws -> OperatorAnswer {
        guard let answer = await driver.ask(request) else {
            throw RESTFailure(.serviceUnavailable, ErrorAnswer("server.unavailable"))
        }
        return answer
    }

    // MARK: Access

    /// Operators can read every conversation and cause faults, so they must send the token, from this machine.
    private func authorise(_ request: Request, _ context: ServerRequestContext) throws {
        let isLocal = PeerAddress(context.peer).isLoopback && request.head.namesThisMachine
        guard allowsRemote || isLocal else {
            throw RESTFailure(
                .forbidden,
                ErrorAnswer("operator.remote", details: "Operators must be on the server's own machine."))
        }
        guard token.isShown(by: request.headers[.authorization]) else {
            throw RESTFailure(
                .unauthorized,
                ErrorAnswer("UNAUTHORIZED", details: "Operators must send a token: Authorization: Bearer TOKEN."),
                headers: [.wwwAuthenticate: "Bearer"])
        }
    }

    // MARK: Requests

    private static func body(of request: Request, upTo limit: Int) async throws -> [UInt8] {
        do {
            var request = request
            let body = try await request.collectBody(upTo: limit)
            return Array(body.readableBytesView)
        } catch {
            throw RESTFailure(.contentTooLarge, ErrorAnswer("request.too-large"))
        }
    }

    /// Returns the client id in a path. Ids may contain any character and are percent-encoded.
    private static func client(_ context: ServerRequestContext) throws -> String {
        guard let text = context.parameters.get("client"), let clientID = PercentDecoding.text(text) else {
            throw RESTFailure.invalid("client")
        }
        return clientID
    }

    private static func number(_ name: String, in request: Request) throws -> Int? {
        guard let text = request.uri.queryParameters.get(name) else { return nil }
        guard let number = Int(text), number >= 0 else { throw RESTFailure.invalid(name) }
        return number
    }

    private static func refusal(_ code: String, _ problems: [ScriptProblem]) -> Response {
        var object: JSONObject = ["error": .string(code)]
        object.set("errorDetails", problems.first?.description ?? "The request contains no action.")
        object["problems"] = .array(
            problems.map { problem in
                .object([
                    "code": .string(problem.code.rawValue), "reason": .string(problem.reason),
                    "path": .string(problem.path), "line": .integer(Int64(problem.line)),
                    "column": .integer(Int64(problem.column)),
                ])
            })
        return .json(JSONValue.object(object).bytes, status: .badRequest)
    }
}

extension OperatorRefusal {
    /// The status of a response with this refusal.
    var status: HTTPResponse.Status {
        switch code {
        case .unknownClient, .unknownMessage, .unknownIdentity: .notFound
        case .tooLong, .tooMany, .unusable: .unprocessableContent
        case .nothingToDo, .assigned: .conflict
        case .full: .serviceUnavailable
        }
    }
}

/// The operators' token. Only its digest is stored, and no description contains it.
public struct OperatorToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// The minimum length of a token in bytes: 128 bits are 32 hexadecimal digits, or 22 base64 characters.
    public static let minimumBytes = BearerToken<ChatDevServerError>.minimumBytes

    private let token: BearerToken<ChatDevServerError>

    /// Creates a token from printable ASCII without spaces, at least ``minimumBytes`` long. Surrounding white space is
    /// removed.
    ///
    /// - Throws: ``ChatDevServerError/Code/invalidConfiguration``. The reason does not contain the token.
    public init(_ text: String) throws(ChatDevServerError) {
        token = try BearerToken(text)
    }

    /// Returns a random token with 128 bits, and its text. No later call returns the text again.
    public static func random() throws(ChatDevServerError) -> (token: OperatorToken, text: String) {
        var generator = SystemRandomNumberGenerator()
        let words: [UInt64] = [generator.next(), generator.next()]
        let text = words.map { withUnsafeBytes(of: $0.bigEndian) { $0.hexadecimal } }.joined()
        return (try OperatorToken(text), text)
    }

    /// Reads a token from a file. Blocks the calling thread.
    public init(file path: String) throws(ChatDevServerError) {
        token = try BearerToken(file: path)
    }

    /// Returns whether an `Authorization` value contains this token.
    func isShown(by authorization: String?) -> Bool { token.isShown(by: authorization) }

    /// A fixed text that does not contain the token.
    public var description: String { "<operator token>" }
    /// A mirror without children, so that a dump does not contain the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
