// The signatures of Apple's AVFAudio framework that Holdfast uses: `scripts/check-apple.sh` compiles this into a module
// named AVFAudio. Nothing here is ever run.

public import Foundation

@available(iOS 2.2, macOS 10.7, *)
open class AVAudioPlayer: NSObject {
    public init(data: Data) throws {}

    open func play() -> Bool { false }
    open func pause() {}
    open func stop() {}
    open var isPlaying: Bool { false }
    open var duration: TimeInterval { 0 }
    open var currentTime: TimeInterval {
        get { 0 }
        set {}
    }
}

@available(iOS 3.0, macOS 10.7, *)
open class AVAudioRecorder: NSObject {
    public init(url: URL, settings: [String: Any]) throws {}

    open func record() -> Bool { false }
    open func stop() {}
    open var url: URL { URL(fileURLWithPath: "/") }
}

@available(iOS 17.0, macOS 14.0, *)
open class AVAudioApplication: NSObject {
    open class func requestRecordPermission() async -> Bool { false }
}

@available(iOS 3.0, *)
open class AVAudioSession: NSObject {
    public struct Category: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static var playback: Category { Category(rawValue: "playback") }
        public static var playAndRecord: Category { Category(rawValue: "playAndRecord") }
    }

    public struct Mode: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static var `default`: Mode { Mode(rawValue: "default") }
    }

    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    open class func sharedInstance() -> AVAudioSession { AVAudioSession() }
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
}

public let AVFormatIDKey = "AVFormatIDKey"
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
