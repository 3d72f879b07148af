import Foundation
import HoldfastTrust
import Hummingbird

/// A service that calls a pinned upstream for each of its requests. Its settings are environment variables.
@main
struct PinnedService {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let authority = environment["UPSTREAM"], let pins = environment["UPSTREAM_PINS"] else {
            print("Set UPSTREAM to HOST:PORT, and UPSTREAM_PINS to two pins with a space between them.")
            exit(64)
        }
        var anchors = TrustAnchors.system
        if let file = environment["UPSTREAM_ROOTS"] {
            let pem = try Data(contentsOf: URL(fileURLWithPath: file))
            anchors = .only(try CertificateLoading.certificates(in: Array(pem)))
        }
        let upstream = try Upstream(
            authority: authority, pins: pins.split(separator: " ").map(String.init), anchors: anchors)
        let port = environment["PORT"].flatMap { Int($0) } ?? 8080
        let application = Application(
            router: makeRouter(upstream), configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
        await upstream.shutdown()
    }

    /// Returns the routes: `GET /health`, and `GET /settings` with the upstream's answer.
    static func makeRouter(_ upstream: Upstream) -> Router<BasicRequestContext> {
        let router = Router()
        router.get("health") { _, _ in "ok\n" }
        router.get("settings") { _, context in
            switch await upstream.get("/api/chat/config") {
            case .answer(let status, let body):
                return Response(
                    status: .init(code: status), headers: [.contentType: "application/json"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
            case .refused(let verdict):
                // The log has the whole verdict. The caller of this service does not need the keys.
                context.logger.error("The upstream was refused.", metadata: ["verdict": "\(verdict)"])
                throw HTTPError(.badGateway, message: "The upstream was refused: \(verdict.finding.code.rawValue)")
            case .failed(let reason):
                throw HTTPError(.badGateway, message: "The upstream cannot be reached: \(reason)")
            }
        }
        return router
    }
}
