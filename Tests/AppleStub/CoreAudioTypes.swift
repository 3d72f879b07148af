// The names of Apple's CoreAudioTypes framework that Holdfast uses: `scripts/check-apple.sh` compiles this into a
// module named CoreAudioTypes. Nothing here is ever run.

public typealias AudioFormatID = UInt32

public var kAudioFormatMPEG4AAC: AudioFormatID { 0x6161_6320 }
