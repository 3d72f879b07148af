import Hummingbird
import HummingbirdCore
import NIOCore
import ServerKit

extension ChatPageServer {
    /// The interval of the signs of life. A page that hears nothing for 20 seconds says so.
    static let beatInterval = Duration.seconds(5)
    /// The time that requests in progress have when the server stops.
    static let stopTime = Duration.seconds(3)

    /// Listens and serves until ``stop()`` is called or the task is cancelled.
    func runUntilStopped() async throws {
        try runState.begin()
        do {
            let files = try await ReceivedFiles.open()
            do {
                try await serve(files)
            } catch {
                await house.stop()
                await files.close()
                throw error
            }
            await house.stop()
            await files.close()
        } catch {
            let error = runState.explanation(of: error, host: configuration.host, port: configuration.port)
            runState.ended(error)
            throw error
        }
        runState.ended()
    }

    private func serve(_ files: ReceivedFiles) async throws {
        let application = makeApplication(files)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask {
                await self.runState.stopRequested()
                await self.house.stop()
                await self.waitForPages()
            }
            group.addTask {
                while true {
                    try await self.configuration.time.pause(Self.beatInterval)
                    await self.house.tick()
                }
            }
            // The server ends because of an error, or because it is asked to.
            do {
                try await group.next()
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            // Cancellation errors of the cancelled tasks are not failures.
            while await group.nextResult() != nil {}
        }
    }

    /// Waits until the pages have received their last frames.
    private func waitForPages() async {
        let (house, pause) = (house, configuration.time.pause)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await house.drained() }
            // A cancelled wait ends, too.
            group.addTask { try? await pause(Self.stopTime) }
            await group.next()
            group.cancelAll()
        }
    }

    private func makeApplication(_ files: ReceivedFiles) -> some ApplicationProtocol {
        let router = Router(context: PageRequestContext.self)
        router.add(middleware: PageGuard(access: access, pagePath: paths.page, logger: logger))
        let time = configuration.time
        PageRoutes(
            access: access, house: house, time: time, paths: paths, signInURL: configuration.signInURL,
            acceptsLinksFromOtherSites: configuration.acceptsLinksFromOtherSites,
            secondsFromGMT: configuration.secondsFromGMT
        ).add(to: router)
        HealthRoutes(paths: paths, isDraining: { [runState] in runState.isStopRequested }).add(to: router)
        ThemeRoutes(house: house, paths: paths).add(to: router)
        EventRoutes(house: house, paths: paths).add(to: router)
        UploadRoutes(house: house, paths: paths, files: files, maximumBytes: configuration.limits.uploadBytes)
            .add(to: router)
        DownloadRoutes(house: house, paths: paths).add(to: router)
        if configuration.fetchesPreviews {
            let fetcher = configuration.fetcher ?? PageFetcher(time: time)
            PreviewRoutes(
                house: house, paths: paths, previews: PreviewHouse(fetcher: fetcher, time: time), names: names
            ).add(to: router)
        }

        let limits = configuration.limits
        let logger = logger.forHummingbird
        let (house, runState, tls) = (self.house, self.runState, configuration.tls?.context)
        let sendBuffer = configuration.sendBuffer
        let gate = PageSocketGate(access: access, paths: paths)
        let upgrader = gate.upgrader(logger: logger)
        return Application(
            router: router,
            server: HTTPServerBuilder { responder in
                PageChannel(
                    http: HTTP1Channel(
                        responder: responder,
                        configuration: .init(
                            headerBytes: limits.headerBytes, headerFields: limits.headerFields,
                            idleTime: limits.idleTimeout)),
                    tls: tls, gate: gate, upgrader: upgrader, house: house,
                    receiveLimit: Int(clamping: limits.uploadBytes + UploadRoutes.formOverhead) + limits.headerBytes,
                    exchangeTime: TimeAmount(limits.exchangeTime), sendBuffer: sendBuffer)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "holdfast",
                availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
            onServerRunning: { channel in
                runState.listening(port: channel.localAddress?.port ?? 0)
            },
            logger: logger)
    }
}
