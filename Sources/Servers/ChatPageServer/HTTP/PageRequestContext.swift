import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServerKit

/// The context of a request.
struct PageRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel
    /// The origin of the server in this request. The guard sets it.
    var origin: WebOrigin?
    /// The signed-in browser. The guard sets it.
    var browser: PageAccess.Browser?

    init(source: Source) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The signed-in browser. Throws ``PageFailure/signedOut`` if there is none.
    func requireBrowser() throws(PageFailure) -> PageAccess.Browser {
        guard let browser else { throw .signedOut }
        return browser
    }
}
