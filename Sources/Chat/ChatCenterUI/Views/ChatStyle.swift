#if canImport(SwiftUI)
import ChatCenter
import Foundation
import ImageIO
import SwiftUI

/// The colors, fonts and pictures of the theme as SwiftUI values, in the user's text size.
@MainActor struct ChatStyle {
    let palette: ChatPalette
    /// The factor of the user's text size.
    let scale: CGFloat

    func color(_ name: ChatPalette.ColorName) -> Color { Self.color(palette.color(name)) }

    func font(_ name: ChatPalette.FontName) -> Font {
        let font = palette.font(name)
        let size = CGFloat(font.shownSize) * scale
        guard let family = font.family else { return .system(size: size, weight: Self.weight(font.weight)) }
        return .custom(family, fixedSize: size).weight(Self.weight(font.weight))
    }

    /// Returns a picture of the theme. VoiceOver does not mention it; the button around it has a label.
    func image(_ name: ChatPalette.ImageName) -> some View {
        let image = palette.image(name)
        return Self.image(image.source)
            .foregroundStyle(image.tintColor.map(Self.color) ?? Color.primary)
            .accessibilityHidden(true)
    }

    /// Returns a picture of the theme in the color of its element.
    func image(_ name: ChatPalette.ImageName, _ color: ChatPalette.ColorName) -> some View {
        let image = palette.image(name)
        return Self.image(image.source)
            .foregroundStyle(Self.color(image.tintColor ?? palette.color(color)))
            .accessibilityHidden(true)
    }

    private static func color(_ color: ChatColor) -> Color {
        Color(
            .sRGB, red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
            opacity: Double(color.alpha) / 255)
    }

    private static func weight(_ weight: ChatFont.Weight) -> Font.Weight {
        switch weight {
        case .regular: .regular
        case .medium: .medium
        case .semibold: .semibold
        case .bold: .bold
        }
    }

    private static func image(_ source: ChatThemeImage.Source) -> Image {
        switch source {
        case .system(let name): Image(systemName: name)
        case .asset(let name): Image(name)
        case .file(let bytes, _):
            ChatPictureDecoder.image(Data(bytes), longestSide: 256).map { Image(decorative: $0, scale: 2) }
                ?? Image(systemName: "questionmark")
        }
    }
}

/// Decodes pictures of other people. A picture is never decoded in its full size, which could exhaust the memory.
enum ChatPictureDecoder {
    static func image(_ bytes: Data, longestSide: Int) -> CGImage? {
        guard let source = CGImageSourceCreateWithData(bytes as CFData, nil) else { return nil }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: longestSide,
        ]
        return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }

    /// Decodes a picture on another thread than the caller's.
    nonisolated static func decode(_ bytes: Data, longestSide: Int) async -> sending CGImage? {
        image(bytes, longestSide: longestSide)
    }
}

/// A picture that is downloaded through the SDK, with the same certificate checks as the chat.
struct ChatRemotePicture<Placeholder: View>: View {
    /// The identity of the picture; another one is fetched again.
    let key: String
    /// The longest side in pixels.
    let longestSide: Int
    let fetch: @MainActor () async -> Data?
    @ViewBuilder let placeholder: Placeholder
    @State private var image: CGImage?

    var body: some View {
        Group {
            if let image {
                Image(decorative: image, scale: 2).resizable().scaledToFit()
            } else {
                placeholder
            }
        }
        .task(id: key) {
            guard let bytes = await fetch() else { return }
            image = await ChatPictureDecoder.decode(bytes, longestSide: longestSide)
        }
    }
}
#endif
