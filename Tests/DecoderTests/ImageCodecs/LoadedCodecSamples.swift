/// Fixtures of the formats whose libraries are loaded on demand, and of BMP.
enum LoadedCodecSamples {
    static let heifs: [Sample] =
        ["heic-420.heic", "heic-444.heic", "heic-10bit.heic"].map {
            Sample($0, "photo.pgm", largest: 16, mean: 2.5)
        } + [
            Sample("heic-rgb.heic", "photo.pgm", largest: 2, mean: 1),
            Sample("heic-alpha.heic", "png-rgba8.pgm", largest: 90, mean: 4),
        ]

    static let avifs: [Sample] =
        ["avif-420.avif", "avif-grey.avif", "avif-12bit.avif", "avif-video-range.avif"].map {
            Sample($0, "photo.pgm", largest: 24, mean: 2.5)
        } + [
            Sample("avif-rgb.avif", "photo.pgm", largest: 2, mean: 1),
            Sample("avif-alpha.avif", "png-rgba8.pgm", largest: 90, mean: 4),
        ]

    static let tiffs: [Sample] =
        ["none", "lzw", "zip", "rle", "rgb12", "tiles", "planes", "big", "strips", "cmyk", "grey"].map {
            Sample("tiff-\($0).tif", "photo.pgm", largest: 3, mean: 1)
        } + [
            Sample("tiff-palette.tif", "photo.pgm", largest: 5, mean: 1),
            Sample("tiff-jpeg.tif", "photo.pgm", largest: 16, mean: 2.5),
            // libtiff's conversion of L*a*b* assumes a screen that is not sRGB.
            Sample("tiff-lab.tif", "photo.pgm", largest: 30, mean: 10),
            Sample("tiff-g3.tif", "pnm-bits.pgm", largest: 0), Sample("tiff-g4.tif", "pnm-bits.pgm", largest: 0),
            Sample("tiff-bits.tif", "pnm-bits.pgm", largest: 0), Sample("tiff-grey2.tif", "png-grey2.pgm"),
            Sample("tiff-grey4.tif", "png-grey4.pgm"), Sample("tiff-grey16.tif", "png-grey16.pgm"),
            Sample("tiff-rgb16.tif", "png-rgb16.pgm", largest: 2, mean: 1),
            Sample("tiff-rgba.tif", "png-rgba8.pgm", largest: 2, mean: 1),
        ]

    static let gifs: [Sample] = [
        Sample("gif-grey.gif", "photo.pgm", largest: 5, mean: 1),
        Sample("gif-second.gif", "photo.pgm", largest: 5, mean: 1),
        Sample("gif-interlaced.gif", "photo.pgm", largest: 5, mean: 1),
        Sample("gif-transparent.gif", "png-grey8-trns.pgm", largest: 6, mean: 1),
    ]

    static let bmps: [Sample] = [
        Sample("bmp-24.bmp", "photo.pgm"), Sample("bmp-first.bmp", "photo.pgm"), Sample("bmp-32.bmp", "photo.pgm"),
        Sample("bmp-8.bmp", "photo.pgm", largest: 5, mean: 1),
        Sample("bmp-rle.bmp", "photo.pgm", largest: 5, mean: 1),
        Sample("bmp-4.bmp", "png-grey4.pgm"), Sample("bmp-1.bmp", "pnm-bits.pgm", largest: 0),
        Sample("bmp-565.bmp", "photo.pgm", largest: 6, mean: 3),
        Sample("bmp-555.bmp", "photo.pgm", largest: 8, mean: 4),
    ]

    static let jpeg2000s: [Sample] = [
        // The reversible transform weights its components by 1/4, 1/2 and 1/4.
        Sample("jpeg2000-lossless.jp2", "photo.pgm", largest: 24, mean: 8),
        Sample("jpeg2000-tiles.j2k", "photo.pgm", largest: 24, mean: 8),
        Sample("jpeg2000-lossy.jp2", "photo.pgm", largest: 12, mean: 2),
        Sample("jpeg2000-rgb.jp2", "photo.pgm", largest: 2, mean: 1),
        Sample("jpeg2000-grey.jp2", "photo.pgm", largest: 0),
    ]

    static let jpegXLs: [Sample] = [
        Sample("jpegxl-lossy.jxl", "photo.pgm", largest: 16, mean: 2.5),
        Sample("jpegxl-lossless.jxl", "photo.pgm", largest: 1, mean: 0.6),
        Sample("jpegxl-grey.jxl", "photo.pgm", largest: 1, mean: 0.6),
        Sample("jpegxl-alpha.jxl", "png-rgba8.pgm", largest: 2, mean: 1),
    ]

    static let all = heifs + avifs + tiffs + gifs + bmps + jpeg2000s + jpegXLs
}
