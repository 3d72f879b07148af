import ChatPage
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit

/// The routes for the theme's style sheet and its pictures.
struct ThemeRoutes: Sendable {
    let house: SessionHouse
    let paths: PagePaths

    /// Adds the routes to a router.
    func add(to router: Router<PageRequestContext>) {
        router.get(RouterPath(paths.path("theme.css"))) { _, context in try await styles(context) }
        router.get(RouterPath(paths.path(ThemePictures.folder + ":digest"))) { _, context in
            try await picture(context)
        }
    }

    private func styles(_ context: PageRequestContext) async throws -> Response {
        let browser = try context.requireBrowser()
        return try await house.use(browser.visitor) { session in
            Response(
                status: .ok,
                headers: [.contentType: "text/css; charset=utf-8", .cacheControl: "private, max-age=3600"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: PageHTML.themeStyles(session.theme))))
        }
    }

    /// Returns a picture of the visitor's own theme. With the digest in the address, the browser never asks again.
    private func picture(_ context: PageRequestContext) async throws -> Response {
        let browser = try context.requireBrowser()
        let digest = context.parameters.get("digest") ?? ""
        return try await house.use(browser.visitor) { session in
            guard let picture = session.pictures[digest] else { throw PageFailure.notFound }
            return Response(
                status: .ok,
                headers: [
                    .contentType: picture.type, .cacheControl: "private, max-age=31536000, immutable",
                    .contentSecurityPolicy: SecurityHeaders.filePolicy,
                ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
        }
    }
}
