import ChatCenter
import ChatPage

/// The pictures of a visitor's themes, as the page shows them.
struct ThemePictures: Sendable {
    /// The pictures by the digests in their addresses.
    private var files: [String: ThemePicture] = [:]
    /// The digests of the light theme's pictures, by their names.
    private(set) var light: [String: String] = [:]
    /// The digests of the dark theme's pictures, by their names.
    private(set) var dark: [String: String] = [:]
    /// The reasons why pictures are not shown, by their names in the theme.
    private(set) var refusals: [(name: String, reason: ThemePicture.Refusal)] = []

    /// Reads the pictures of both themes. The page draws its own signs for symbols of a system and for refused
    /// pictures.
    ///
    /// - Parameter assets: The pictures that themes name as assets.
    init(light: [String: ChatThemeImage], dark: [String: ChatThemeImage], assets: ChatPagePictures) {
        self.light = read(light, assets)
        self.dark = read(dark, assets)
    }

    private mutating func read(_ images: [String: ChatThemeImage], _ assets: ChatPagePictures) -> [String: String] {
        var digests: [String: String] = [:]
        for (name, image) in images.sorted(by: { $0.key < $1.key }) {
            do throws(ThemePicture.Refusal) {
                guard let picture = try Self.picture(image.source, assets) else { continue }
                files[picture.digest] = picture
                digests[name] = picture.digest
            } catch {
                refusals.append((name, error))
            }
        }
        return digests
    }

    private static func picture(
        _ source: ChatThemeImage.Source, _ assets: ChatPagePictures
    ) throws(ThemePicture.Refusal) -> ThemePicture? {
        switch source {
        case .system: return nil
        case .file(let bytes, let type): return try ThemePicture(bytes, type: type)
        case .asset(let name):
            // An app whose themes are also for other platforms need not have pictures for the page.
            guard !assets.isEmpty else { return nil }
            guard let picture = assets[name] else { throw .missing(name) }
            return picture
        }
    }

    /// Returns the picture with this digest.
    subscript(digest: String) -> ThemePicture? { files[digest] }

    /// The folder of the pictures, below the base path.
    static let folder = "theme/"

    /// Returns the pictures' paths by their names, relative to the page's style sheets.
    static func paths(_ digests: [String: String]) -> [String: String] { digests.mapValues { folder + $0 } }
}

extension ThemePictures {
    /// Reads the pictures of a screen's themes.
    init(of screen: ChatScreen, assets: ChatPagePictures) {
        self.init(light: screen.theme.tokens.images, dark: screen.darkTheme.tokens.images, assets: assets)
    }
}
