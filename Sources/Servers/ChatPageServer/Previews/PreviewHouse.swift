import Foundation
import HoldfastTransport
import Synchronization

/// The previews and pictures that were fetched, and the limits for fetching.
final class PreviewHouse: Sendable {
    /// The preview of a link.
    struct Preview: Hashable, Sendable {
        var page: OpenGraph
        /// The absolute URL of the picture.
        var image: String?
    }

    /// A fetched picture.
    struct Picture: Hashable, Sendable {
        var kind: ImageKind
        var bytes: [UInt8]
    }

    /// The maximum number of fetches at the same time.
    ///
    /// - Error: 503 `busy`
    static let fetchLimit: Int64 = 24
    /// The maximum number of fetches of one visitor at the same time. A browser opens six connections to a server.
    ///
    /// - Error: 429 `tooManyFetches`
    static let visitorLimit: Int64 = 6
    /// The time in milliseconds for which a preview or picture is stored.
    private static let lifetime: Int64 = 600_000
    /// The time in milliseconds for which a failure is stored.
    private static let failureLifetime: Int64 = 60_000

    private struct State {
        var previews = BoundedCache<Preview?>(entries: 1_000, size: 4 << 20)
        var pictures = BoundedCache<Picture?>(entries: 500, size: 32 << 20)
    }

    private let fetcher: PageFetcher
    private let time: PageServerTime
    private let gate = Gate(.fetches, fetchLimit, perVisitor: visitorLimit)
    private let state = Mutex(State())

    /// Creates an empty house.
    init(fetcher: PageFetcher, time: PageServerTime) {
        self.fetcher = fetcher
        self.time = time
    }

    /// Returns the preview of a link; `nil` if there is none. Throws ``PageFailure`` beyond the limits.
    func preview(of url: String, for visitor: ChatPageVisitor) async throws -> Preview? {
        if let known = state.withLock({ $0.previews.value(of: url, at: time.uptime()) }) { return known }
        let found = try await gate.pass(visitor) { () -> Preview? in
            guard let result = try? await self.fetcher.fetch(url, .page) else { return nil }
            let page = OpenGraph(page: result.body)
            guard !page.isEmpty else { return nil }
            let image = page.image.flatMap { try? result.url.resolving($0) }
            return Preview(page: page, image: image.map { "\($0.scheme.rawValue)://\($0.authority)\($0.target)" })
        }
        state.withLock { state in
            state.previews.store(
                found, for: url, size: 2_048, lifetime: found == nil ? Self.failureLifetime : Self.lifetime,
                at: time.uptime())
        }
        return found
    }

    /// Returns a picture; `nil` if there is none. Throws ``PageFailure`` beyond the limits.
    func picture(_ url: String, for visitor: ChatPageVisitor) async throws -> Picture? {
        if let known = state.withLock({ $0.pictures.value(of: url, at: time.uptime()) }) { return known }
        let found = try await gate.pass(visitor) { () -> Picture? in
            guard let result = try? await self.fetcher.fetch(url, .image), let kind = ImageKind(result.body) else {
                return nil
            }
            return Picture(kind: kind, bytes: result.body)
        }
        state.withLock { state in
            state.pictures.store(
                found, for: url, size: found?.bytes.count ?? 0,
                lifetime: found == nil ? Self.failureLifetime : Self.lifetime, at: time.uptime())
        }
        return found
    }
}
