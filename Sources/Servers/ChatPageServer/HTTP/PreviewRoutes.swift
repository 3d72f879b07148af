import ChatCenterCore
import HTTPTypes
import HoldfastBase
import Hummingbird
import NIOCore
import ServerKit

/// The routes for previews of links and for pictures from other servers. A browser never contacts these servers.
struct PreviewRoutes: Sendable {
    let house: SessionHouse
    let paths: PagePaths
    let previews: PreviewHouse
    let names: ImageNames

    /// Adds the routes to a router.
    func add(to router: Router<PageRequestContext>) {
        router.get(RouterPath(paths.path("images/:name"))) { _, context in try await image(context) }
        router.get(RouterPath(paths.path("preview/:message"))) { _, context in try await preview(context) }
    }

    private func image(_ context: PageRequestContext) async throws -> Response {
        let browser = try context.requireBrowser()
        guard let url = context.parameters.get("name").flatMap({ names.url(of: $0) }) else {
            throw PageFailure.notFound
        }
        guard let picture = try await previews.picture(url, for: browser.visitor) else { throw PageFailure.notFound }
        return Response(
            status: .ok,
            headers: [
                .contentType: picture.kind.rawValue, .cacheControl: "private, max-age=600",
                .contentSecurityPolicy: SecurityHeaders.filePolicy,
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }

    private func preview(_ context: PageRequestContext) async throws -> Response {
        let browser = try context.requireBrowser()
        guard let message = context.parameters.get("message").flatMap({ PercentDecoding.text($0) }) else {
            throw PageFailure.notFound
        }
        // Only links of messages that the page shows are fetched.
        let link = try await house.use(browser.visitor) { session in session.row(MessageID(message))?.previewLink }
        guard let link else { throw PageFailure.notFound }
        guard let preview = try await previews.preview(of: link, for: browser.visitor) else {
            return Response(status: .noContent)
        }
        return PageRoutes.json(json(preview, link))
    }

    private func json(_ preview: PreviewHouse.Preview, _ link: String) -> [UInt8] {
        var printer = JSONPrinter(.compact)
        printer.open("{")
        let image = preview.image.flatMap { names.name(of: $0) }.map { paths.path("images/" + $0) }
        let members = [
            ("title", preview.page.title), ("description", preview.page.description), ("site", preview.page.site),
            ("image", image), ("url", link),
        ]
        for (name, value) in members {
            guard let value else { continue }
            printer.member(name)
            printer.write(string: value)
        }
        printer.close("}")
        return printer.bytes
    }
}
