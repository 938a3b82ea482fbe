#!/bin/sh
# Makes the pictures that ImageCodecsTests decode, and the grey pictures that they are compared with.
# Needs python3, cjpeg and jpegtran (libjpeg-turbo-progs), cwebp and webpmux (webp), ImageMagick, heif-enc
# (libheif-examples), avifenc (libavif-bin), tiffcp and tiffset (libtiff-tools), opj_compress (libopenjp2-tools) and cjxl
# (libjxl-tools).
set -eu
cd "$(dirname "$0")"
rm -f ./*.png ./*.jpg ./*.webp ./*.p?m ./*.heic ./*.avif ./*.tif ./*.gif ./*.bmp ./*.jp2 ./*.j2k ./*.jxl
python3 make.py sources

# JPEG. The brightness of photo.ppm is photo.pgm.
cjpeg -quality 95 -grayscale -outfile jpeg-grey.jpg photo.ppm
cjpeg -quality 95 -outfile jpeg-420.jpg photo.ppm
cjpeg -quality 95 -sample 1x1 -outfile jpeg-444.jpg photo.ppm
cjpeg -quality 95 -sample 2x1 -outfile jpeg-422.jpg photo.ppm
cjpeg -quality 95 -restart 1 -outfile jpeg-restart.jpg photo.ppm
cjpeg -quality 95 -progressive -outfile jpeg-progressive.jpg photo.ppm
cjpeg -quality 95 -arithmetic -outfile jpeg-arithmetic.jpg photo.ppm
cjpeg -quality 95 -arithmetic -progressive -outfile jpeg-arithmetic-progressive.jpg photo.ppm
cjpeg -quality 95 -rgb -outfile jpeg-rgb.jpg photo.ppm
convert photo.ppm -colorspace CMYK -quality 95 -strip jpeg-cmyk.jpg
convert -size 16x16 xc:white -colorspace CMYK -quality 95 -strip jpeg-cmyk-white.jpg

# WebP.
cwebp -quiet -q 95 photo.ppm -o webp-lossy.webp
cwebp -quiet -lossless photo.ppm -o webp-lossless.webp
cwebp -quiet -q 95 -alpha_q 100 png-rgba8.png -o webp-lossy-alpha.webp
cwebp -quiet -lossless -exact png-rgba8.png -o webp-lossless-alpha.webp
cwebp -quiet -lossless png-rgb8.png -o frame.webp
webpmux -frame webp-lossless.webp +100+0+0 -frame frame.webp +100+10+6 -o webp-animated.webp 2>/dev/null
webpmux -frame frame.webp +100+10+6 -frame webp-lossless.webp +100+0+0 -o webp-animated-offset.webp 2>/dev/null
webpmux -set exif orientation-8.exif webp-lossy.webp -o webp-exif-8.webp 2>/dev/null

# HEIC and AVIF.
convert photo.ppm photo.png
convert photo.ppm -evaluate multiply 1 -depth 16 png48:photo16.png
heif-enc -q 90 photo.png -o heic-420.heic
heif-enc -q 90 -p chroma=444 photo.png -o heic-444.heic
heif-enc -q 90 -b 10 photo16.png -o heic-10bit.heic
heif-enc -L -p chroma=444 --matrix_coefficients 0 photo.png -o heic-rgb.heic
heif-enc -q 90 png-rgba8.png -o heic-alpha.heic
avifenc --min 5 --max 10 -y 420 photo.png avif-420.avif
avifenc --min 5 --max 10 -y 400 photo.png avif-grey.avif
avifenc --min 5 --max 10 -d 12 -y 444 photo16.png avif-12bit.avif
avifenc --min 5 --max 10 -r limited photo.png avif-video-range.avif
avifenc --lossless photo.png avif-rgb.avif
avifenc --min 0 --max 5 -y 444 png-rgba8.png avif-alpha.avif
convert photo.ppm -filter point -resize 256x128! photo256.png
avifenc --min 5 --max 10 --grid 2x1 photo256.png avif-grid.avif
for turn in "irot 1" "irot 2" "irot 3" "imir 0" "imir 1"; do
    avifenc --min 5 --max 10 "--${turn% *}" "${turn#* }" photo.png "avif-${turn% *}-${turn#* }.avif"
done
avifenc --min 5 --max 10 --irot 1 --imir 1 photo.png avif-irot-1-imir-1.avif

# TIFF.
for compression in None LZW Zip JPEG RLE; do
    convert photo.ppm -quality 95 -compress "$compression" "tiff-$(echo $compression | tr A-Z a-z).tif"
done
convert photo.pgm -compress None tiff-grey.tif
convert pnm-bits.pgm -compress Group4 tiff-g4.tif
convert pnm-bits.pgm -compress Fax tiff-g3.tif
convert pnm-bits.pgm -compress LZW -define quantum:polarity=min-is-black tiff-bits.tif
for bits in 2 4; do
    convert "png-grey$bits.png" -depth $bits -type Grayscale -compress Zip "tiff-grey$bits.tif"
done
convert png-grey16.png -compress Zip tiff-grey16.tif
convert photo.ppm -depth 12 -compress None tiff-rgb12.tif
convert png-rgb16.png -endian MSB -compress LZW tiff-rgb16.tif
convert png-rgba8.png -compress LZW tiff-rgba.tif
convert photo.ppm -colorspace CMYK -compress LZW tiff-cmyk.tif
convert photo.pgm -compress None -type Palette tiff-palette.tif
convert photo.ppm -compress LZW -define tiff:tile-geometry=32x16 tiff-tiles.tif
convert photo.ppm -compress LZW -interlace plane tiff-planes.tif
convert photo.ppm -colorspace Lab -compress LZW tiff-lab.tif
tiffcp -8 -c lzw tiff-none.tif tiff-big.tif
tiffcp -B -r 8 -c packbits tiff-none.tif tiff-strips.tif
for turn in 3 6 8; do
    cp tiff-lzw.tif "tiff-exif-$turn.tif"
    tiffset -s Orientation $turn "tiff-exif-$turn.tif"
done

# GIF: the second has its first frame blank, the third its frames interlaced.
convert photo.pgm gif-grey.gif
convert -size 64x48 xc:white photo.pgm -set delay 10 -loop 0 gif-second.gif
convert photo.pgm -interlace GIF gif-interlaced.gif
convert png-grey8-trns.png gif-transparent.gif

# BMP.
convert photo.ppm BMP3:bmp-24.bmp
convert photo.ppm BMP2:bmp-first.bmp
convert photo.pgm -type Palette -compress None BMP3:bmp-8.bmp
convert pnm-bits.pgm -type Palette BMP3:bmp-1.bmp
convert png-grey4.png -type Palette BMP3:bmp-4.bmp
convert photo.pgm -type Palette -compress RLE BMP3:bmp-rle.bmp
convert photo.ppm -define bmp:format=bmp4 -define bmp:subtype=RGB565 bmp-565.bmp
convert photo.ppm -define bmp:format=bmp4 -define bmp:subtype=RGB555 bmp-555.bmp
convert photo.ppm -alpha on -define bmp:format=bmp4 bmp-32.bmp

# JPEG 2000.
opj_compress -i photo.ppm -o jpeg2000-lossless.jp2 >/dev/null
opj_compress -i photo.ppm -r 4 -I -o jpeg2000-lossy.jp2 >/dev/null
opj_compress -i photo.ppm -mct 0 -o jpeg2000-rgb.jp2 >/dev/null
opj_compress -i photo.ppm -t 32,32 -o jpeg2000-tiles.j2k >/dev/null
opj_compress -i photo.pgm -o jpeg2000-grey.jp2 >/dev/null

# JPEG XL.
cjxl --quiet -d 1 photo.ppm jpegxl-lossy.jxl
cjxl --quiet -d 0 photo.ppm jpegxl-lossless.jxl
cjxl --quiet -d 0 photo.pgm jpegxl-grey.jxl
cjxl --quiet -d 0 png-rgba8.png jpegxl-alpha.jxl
cjxl --quiet -d 0 --container=1 png-exif-6.png jpegxl-exif-6.jxl
rm -f photo.png photo16.png photo256.png

python3 make.py patches
# What ImageMagick makes of YCCK is the measure for it.
convert jpeg-ycck.jpg -colorspace sRGB -depth 8 ycck.ppm
python3 make.py grey ycck.ppm jpeg-ycck.pgm
rm -f frame.webp orientation-8.exif ycck.ppm photo.ppm
