import ArgumentParser
import HoldfastWebSocket

/// What both roles have in common: how messages are compressed and how large they may be.
struct AutobahnOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Offer or grant compression.") var deflate = true
    @Flag(help: "Let compressed messages refer to earlier ones, both ways.") var contextTakeover = false
    @Option(help: "Two to this power is the window that this end compresses with: 8 to 15.") var windowBits = 15
    @Option(help: "The smallest message that is compressed, in bytes.") var minimumSize = 1
    @Option(help: "Split messages into frames of this size.") var fragmentSize: Int?

    func validate() throws {
        guard (8...15).contains(windowBits) else { throw ValidationError("--window-bits is from 8 to 15.") }
        guard minimumSize >= 1 else { throw ValidationError("--minimum-size is at least 1.") }
        guard fragmentSize ?? 1 >= 1 else { throw ValidationError("--fragment-size is at least 1.") }
    }

    var compression: WebSocketDeflate? {
        guard deflate else { return nil }
        return WebSocketDeflate(
            sendingContextTakeover: contextTakeover, receivingContextTakeover: contextTakeover,
            sendingWindowBits: windowBits, minimumSize: minimumSize)
    }

    /// The suite sends messages of 16 MiB, and one of 4 MiB in fragments of 64 bytes.
    static let limits = WebSocketLimits(maximumFragments: 1 << 20)
}

extension WebSocketConnection {
    /// Sends back whatever comes, until the connection ends. How it ends is for the suite to judge.
    func echo() async {
        do {
            for try await message in messages { try await send(message) }
        } catch {}
        await close()
    }
}
